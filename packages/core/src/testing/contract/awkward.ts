/** Strings that a store has to give back to the letter, in values as well as in tags and names. */
export const awkwardStrings: readonly string[] = [
  '',
  ' ',
  'trailing space ',
  `it's "quoted" and \`ticked\``,
  'back\\slash \\n \\u0000 \\',
  'line\nbreak\r\n\ttab',
  '\u2028 and \u2029',
  '\u0001\u001f\u007f\u0085',
  '\ufeffbyte order mark',
  'é is not e\u0301',
  '👩🏽‍🚀 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  '\u{10ffff}\uffff\ufffe\ufffd',
  'שלום ‮gnp.exe',
  "'; DROP TABLE runs; --",
  '" OR ""="',
  '%_*?[a-z]',
  '$1 ${x} :name @p ?',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'null',
  '{"$":"tag"}',
  '"end":true}\n',
  '__proto__',
  'constructor',
];

/** Strings that only a value may hold, because its text has them escaped. */
export const escapedStrings: readonly string[] = ['\u0000', 'a\u0000b', '\ud800', '\udc00 first', 'ends with \ud83d'];
