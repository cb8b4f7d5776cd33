// A TypeScript program of files that are not on the disk, with the options of the tests.
import { resolve } from 'node:path';
import ts from 'typescript';

/** What TypeScript says about each file: empty if there is nothing to say. */
export function complaintsAbout(
  files: ReadonlyMap<string, string>,
  overrides: ts.CompilerOptions = {},
): ReadonlyMap<string, string> {
  const { config } = ts.readConfigFile('test/tsconfig.json', (file) => ts.sys.readFile(file)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('test'));
  Object.assign(options, { noUnusedLocals: false, ...overrides });
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => files.has(file) || disk.fileExists(file),
    readFile: (file) => files.get(file) ?? disk.readFile(file),
    getSourceFile: (file, version, onError) => {
      const text = files.get(file);
      return text === undefined
        ? disk.getSourceFile(file, version, onError)
        : ts.createSourceFile(file, text, version, true);
    },
  };
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host });
  const saidOf = (file: string): string => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .join('\n');
  };
  return new Map(Array.from(files.keys(), (file) => [file, saidOf(file)]));
}
