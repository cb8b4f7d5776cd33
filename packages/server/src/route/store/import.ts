import { createReadStream } from 'node:fs';
import type { ImportReport } from 'holdfast';
import { z } from 'zod';
import { ApiError, invalidRequest } from '../../api-error.ts';
import { jsonAnswer } from '../../guard/answers.ts';
import { checkContentType } from '../../guard/read-body.ts';
import { checkFile } from '../../import/check-file.ts';
import { spooled } from '../../import/spool.ts';
import { id, nothing } from '../../schema/common.ts';
import { type Call, type Route, route } from '../route.ts';

const fileType = 'application/x-ndjson';

const importedSchema: z.ZodType<ImportReport> = z.strictObject({
  runId: z.string(),
  runs: z.int(),
  imported: z.int(),
  redacted: z.boolean(),
});

const importRun = route({
  id: 'importRun',
  method: 'post',
  path: '/import',
  summary:
    'Imports a run that `holdfast export` wrote. A process of its own, with little memory and time, checks the file first. Only for administrators without a scope.',
  access: 'admin',
  params: nothing,
  query: z.strictObject({ id: id.optional() }),
  rawBody: fileType,
  response: importedSchema,
  status: 201,
  about: (_body, answer) => ('runId' in answer ? { made: answer.runId } : {}),
  handle: (call, { query }) => takeFile(call, query.id),
});

/** One at a time: each needs a process. */
let isImporting = false;

async function takeFile(call: Call, runId: string | undefined): Promise<ImportReport | Response> {
  const { scope, request, engine, server } = call;
  if (scope.isBound)
    throw new ApiError(
      403,
      'HTTP_FORBIDDEN',
      'A file may contain runs outside any scope. Only an administrator without a scope may import.',
    );
  checkContentType(request, fileType);
  if (request.body === null) throw invalidRequest('Send the file that holdfast export wrote as the body.');
  if (isImporting)
    throw new ApiError(503, 'HTTP_BUSY', 'Another import is being checked. Try again later.', { 'retry-after': '5' });
  isImporting = true;
  try {
    return await spooled(request.body, server.limits, async (path) => {
      const checked = await checkFile(path, server.limits);
      if (checked.type === 'killed')
        throw new ApiError(
          413,
          'HTTP_BODY_TOO_LARGE',
          'The file takes more memory or time than an import may. Use holdfast import.',
        );
      if (checked.type === 'refused')
        return jsonAnswer({ error: { code: checked.code, message: checked.message } }, 400);
      return engine.import(createReadStream(path), { id: runId });
    });
  } finally {
    isImporting = false;
  }
}

/** Moving runs in. */
export const importRoutes: readonly Route[] = [importRun];
