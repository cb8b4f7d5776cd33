import * as fc from 'fast-check';

/** What a terminal obeys, or what changes the order of what it shows. */
// oxlint-disable-next-line no-control-regex -- it looks for exactly these
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The sequences that our styles write: bold, dim and four colours. */
// oxlint-disable-next-line no-control-regex -- it removes exactly these
const ownStyles = /\u001b\[(?:1|2|22|31|32|33|36|39)m/gu;

/** The control characters in an output, apart from line ends and, if it is coloured, our own styles. */
export function controlsIn(output: string, { isColored = false } = {}): readonly string[] {
  const text = isColored ? output.replaceAll(ownStyles, '') : output;
  return [...text.matchAll(controls)].map(([character]) => `U+${character.charCodeAt(0).toString(16)}`);
}

/** Sequences that clear the screen, set the title, write to the clipboard, hide, reorder or fake lines and styles. */
export const attacks = [
  '\u001b[2J\u001b[H',
  '\u001b]0;owned\u0007',
  '\u001b]52;c;b3duZWQ=\u0007',
  '\u001b]8;;https://evil.example\u001b\\here\u001b]8;;\u001b\\',
  '\u001b[31mred',
  '\u001b[8mhidden\u001b[0m',
  '\u009b2J',
  '\u009d0;owned\u009c',
  '\u0090q\u009c',
  'ok\r\u001b[Kfake',
  'a\bb\u007f',
  '\u202egpj.exe',
  '\u2066a\u2069\u200e\u200f\u061c',
  'line\nholdfast: fake\n',
  'line\u2028\u2029\u0085',
  '\u0000\u0000style-x:31;',
  '\ud800\udfff\ud800',
  '"},"id":"x\\u001b',
];

/** Texts made of attacks, any characters, and many spaces and line ends. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...attacks),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
      fc.constantFrom('   ', '\n \n', '\t', '€', '😀'),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
