import { basename, resolve } from 'node:path';
import type { Engine } from 'holdfast';
import { Supervisor } from '../../dev/supervisor.ts';
import { CliError } from '../../failure/cli-error.ts';
import { handleSignals } from '../../live/interrupt.ts';
import { RunBoard } from '../../live/run-board.ts';
import { oneLine, printable } from '../../output/printable.ts';
import { shownStore } from '../../output/shown-store.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToRead } from '../../project/open-engine.ts';
import { type Beside, serveBeside } from '../../serving/serve-beside.ts';

/** `holdfast dev FILES…`. */
export const dev: CommandFn<{ readonly concurrency?: string }> = async (context, args, { concurrency }) => {
  const { out, cwd, paste } = context;
  const given = args.length > 0 ? args.map((file) => resolve(cwd, file)) : context.project.graphs;
  if (given.length === 0) throw CliError.usage(`Pass the files that export your graphs: ${paste('dev refunds.ts')}`);
  const { dim, red, green } = out.notePaint;
  let board: RunBoard | undefined;
  let engine: Engine | undefined;
  let studio: Beside | undefined;
  const say = (line: string): void => (board === undefined ? out.note(line) : board.print(line));
  const names = given.map((file) => basename(file)).join(', ');
  const supervisor = new Supervisor({ store: context.project.store, files: given, concurrency }, (news) => {
    switch (news.type) {
      case 'ready':
        return say(`${green('ready')} ${news.graphs.join(', ')} ${dim(`worker ${news.pid}`)}`);
      case 'error':
        return say(`${red('error')} ${oneLine(news.message)} ${dim('Edit a file to try again.')}`);
      case 'changed':
        return say(dim(`${basename(news.file)} changed; reloading`));
      case 'died':
        return say(`${red('died')} worker (${news.how}); restarting, its runs continue from their last commit`);
      case 'line':
        return say(`${dim('│')} ${printable(news.line)}`);
    }
  });
  using interrupt = handleSignals(() =>
    say(dim('Draining: finishing the steps in flight. Press Ctrl-C again to quit now.')),
  );
  const { signal } = interrupt;
  process.once('exit', () => supervisor.kill());
  out.hint(`${names} in ${shownStore(context.project.store)}. Press Ctrl-C to quit.`);
  const supervising = supervisor.run(signal);
  await supervisor.firstReady(signal);
  if (!signal.aborted) {
    engine = await openToRead(context);
    board = new RunBoard(out, engine);
    studio = await serveBeside(context, given);
    if (studio !== undefined) out.hint(`The studio: ${studio.url}`);
    const files = args.length > 0 ? { graphs: args } : {};
    out.hint(`Start a run from another terminal: ${paste('submit GRAPH field=value …', files)}`);
    await board.watch(signal);
  }
  await supervising;
  await board?.look();
  board?.end();
  await studio?.close();
  await engine?.close();
  return interrupt.exitCode() ?? 0;
};
