import type { CommandSpec, OptionSpec } from '../command-spec.ts';
import { runArg } from './look.ts';

const wait: OptionSpec = {
  flags: '--wait',
  help: 'Waits until the run ends or waits for somebody, as watch does.',
};

/** Writing to runs that are there. They go on in a worker, or in `dev`. */
export const changeCommands: readonly CommandSpec[] = [
  {
    name: 'answer',
    args: [
      runArg,
      ['[name]', 'The question; may be left out where one is open.'],
      ['[k=v...]', 'The answer, a field each.'],
    ],
    summary: 'Answers a question. Without values, on a terminal, it asks them with a form.',
    details:
      'A value that reads as JSON is JSON, unless the question says that the field is text. The same answer again is fine; another one is refused, telling who answered (exit code 5).',
    options: [
      { flags: '--value <json>', help: 'The whole answer as JSON, or - to read it from stdin.' },
      { flags: '--id <id>', help: 'Which question, where several of the name are open.' },
      { flags: '--by <who>', help: 'Who answers.' },
      wait,
    ],
    examples: [
      ['holdfast answer ord_81 approval ok=true --by ada', ''],
      ['holdfast answer ord_81', 'asks on a terminal'],
    ],
    load: async () => (await import('../../command/change/answer.ts')).answer,
  },
  {
    name: 'send',
    args: [runArg, ['<name>', 'The name of the message.'], ['<json>', 'What to send, or - to read it from stdin.']],
    summary: 'Sends a message to a run.',
    options: [{ flags: '--id <id>', help: 'The same id again is the same message.' }, wait],
    examples: [['holdfast send signup-1 verified \'{"at":5}\' --id mail-9', '']],
    load: async () => (await import('../../command/change/send.ts')).send,
  },
  {
    name: 'settle',
    args: [runArg, ['<key>', 'The key of the effect; show tells it.']],
    summary: "Settles a 'once' effect of unknown outcome.",
    options: [
      { flags: '--result <json>', help: 'It happened, and gave this.' },
      { flags: '--error <message>', help: 'It did not happen, for this reason.' },
      { flags: '--retry', help: 'It did not happen: try it again.' },
      wait,
    ],
    examples: [['holdfast settle ord_81 KEY --result \'{"id":"re_1"}\'', '']],
    load: async () => (await import('../../command/change/settle.ts')).settle,
  },
  {
    name: 'fork',
    args: [['<run[@seq]>', 'Where from. Default place: the head.']],
    summary: 'Makes a new run that shares everything up to a place of another.',
    details:
      'It is suspended until it is resumed or answered, unless --resume is given. With --graphs the values are validated by the code.',
    options: [
      { flags: '--set <k=v>', help: 'Values of channels in place of those that it had. May be repeated.', many: true },
      { flags: '--next <node>', help: 'The nodes to run next. May be repeated.', many: true },
      { flags: '--id <id>', help: 'The id of the fork.' },
      { flags: '--label <text>', help: 'What it is for; log shows it.' },
      { flags: '--tag <k=v>', help: 'Tags of the fork. May be repeated.', many: true },
      { flags: '--resume', help: 'Continues it at once, in a worker.' },
    ],
    examples: [['holdfast fork ord_81@5 --set cents=5000 --label what-if', '']],
    load: async () => (await import('../../command/change/fork.ts')).fork,
  },
  {
    name: 'resume',
    args: [runArg],
    summary: 'Continues a suspended, failed or paused run, in a worker.',
    options: [{ flags: '--max-supersteps <n>', help: 'How many super-steps it may take in all.' }, wait],
    examples: [['holdfast resume @last --wait', '']],
    load: async () => (await import('../../command/change/resume.ts')).resume,
  },
  {
    name: 'cancel',
    args: [['<run...>', 'One or several.']],
    summary: 'Ends runs and their children; no code of theirs runs afterwards.',
    options: [{ flags: '--reason <text>', help: 'Why.' }],
    examples: [['holdfast cancel ord_81 ord_82 --reason "sold twice"', '']],
    load: async () => (await import('../../command/change/cancel.ts')).cancel,
  },
];
