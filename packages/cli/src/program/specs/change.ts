import type { CommandSpec, OptionSpec } from '../command-spec.ts';
import { runArg } from './look.ts';

const wait: OptionSpec = {
  flags: '--wait',
  help: 'Follow the run like watch.',
};

/** Commands that write to existing runs. A worker or `dev` continues the runs. */
export const changeCommands: readonly CommandSpec[] = [
  {
    name: 'answer',
    args: [
      runArg,
      ['[name]', 'The question. Optional if only one is open.'],
      ['[k=v...]', 'The answer, one field per argument. An answer without fields is named after its question.'],
    ],
    summary: 'Answer a question. Without values, on a terminal, a form asks for them.',
    details:
      'Repeating the same answer is fine, with or without the name of the question. A different answer is refused with exit code 5, and the error says who answered.',
    options: [
      { flags: '--value <json>', help: 'The whole answer as JSON, or - to read it from stdin.' },
      { flags: '--id <id>', help: 'Which question, if several with that name are open.' },
      { flags: '--by <who>', help: 'Who is answering.' },
      wait,
    ],
    examples: [
      ['holdfast answer ord_81 approval ok=true --by ada', ''],
      ['holdfast answer ord_81 size=L', 'an answer that is one value, of the question size'],
      ['holdfast answer ord_81', 'opens a form on a terminal'],
    ],
    load: async () => (await import('../../command/change/answer.ts')).answer,
  },
  {
    name: 'send',
    args: [
      runArg,
      ['<name>', 'The name of the message.'],
      ['<json>', 'The message as JSON, or - to read it from stdin.'],
    ],
    summary: 'Send a message to a run.',
    options: [{ flags: '--id <id>', help: 'The id of the message. A repeated id is the same message.' }, wait],
    examples: [['holdfast send signup-1 verified \'{"at":5}\' --id mail-9', '']],
    load: async () => (await import('../../command/change/send.ts')).send,
  },
  {
    name: 'settle',
    args: [runArg, ['<key>', 'The key of the effect, as printed by show.']],
    summary: "Settle a 'once' effect whose outcome is unknown.",
    options: [
      { flags: '--result <json>', help: 'It happened, with this result.' },
      { flags: '--error <message>', help: 'It failed, with this message.' },
      { flags: '--retry', help: 'It did not happen. Execute it again.' },
      wait,
    ],
    examples: [['holdfast settle ord_81 KEY --result \'{"id":"re_1"}\'', '']],
    load: async () => (await import('../../command/change/settle.ts')).settle,
  },
  {
    name: 'fork',
    args: [['<run[@seq]>', 'Where to fork. Default: the head of the run.']],
    summary: 'Create a run that shares the history of another run up to a checkpoint.',
    details:
      'The fork is suspended until you resume or answer it, unless you pass --resume. With --graphs, the values are validated.',
    options: [
      { flags: '--before <node>', help: 'Fork at the last checkpoint before this node.' },
      { flags: '--set <k=v>', help: 'Set the value of a channel. Repeatable.', many: true },
      { flags: '--next <node>', help: 'Execute this node next. Repeatable.', many: true },
      { flags: '--id <id>', help: 'The id of the fork.' },
      { flags: '--label <text>', help: 'What the fork is for. Shown by log.' },
      { flags: '--tag <k=v>', help: 'A tag of the fork. Repeatable.', many: true },
      { flags: '--resume', help: 'Let a worker continue it at once.' },
    ],
    examples: [
      ['holdfast fork ord_81@5 --set cents=5000 --label what-if', ''],
      ['holdfast fork ord_81 --before refund --resume', 'tries the refund again'],
    ],
    load: async () => (await import('../../command/change/fork.ts')).fork,
  },
  {
    name: 'resume',
    args: [runArg],
    summary: 'Let a worker continue a suspended, failed or paused run.',
    options: [{ flags: '--max-supersteps <n>', help: 'The total number of super-steps the run may take.' }, wait],
    examples: [['holdfast resume @last --wait', '']],
    load: async () => (await import('../../command/change/resume.ts')).resume,
  },
  {
    name: 'cancel',
    args: [['<run...>', 'One or more runs.']],
    summary: 'Cancel runs and their child runs. None of their code runs afterwards.',
    options: [{ flags: '--reason <text>', help: 'Why they are cancelled.' }],
    examples: [['holdfast cancel ord_81 ord_82 --reason "sold twice"', '']],
    load: async () => (await import('../../command/change/cancel.ts')).cancel,
  },
];
