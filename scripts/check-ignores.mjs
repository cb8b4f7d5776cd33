// @ts-check
// Counts the places where coverage is told to look away: at most ten, and each says why:
//   /* v8 ignore next -- reason */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const limit = 10;
const marker = /\b(?:v8|c8|istanbul) ignore (?!stop|end)/;
const reason = / -- (?:@preserve\W+)?\w+ \w+/;

const found = readdirSync('packages').flatMap((name) => {
  const folder = join('packages', name, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    return lines.flatMap((text, index) =>
      marker.test(text) ? [{ place: `${join(folder, file)}:${index + 1}`, text: text.trim() }] : [],
    );
  });
});

const faults = found
  .filter(({ text }) => !reason.test(text))
  .map(({ place, text }) => `${place}: a coverage ignore without a reason after " -- ": ${text}`);
if (found.length > limit) {
  faults.push(
    `${found.length} coverage ignores, at most ${limit} are allowed:`,
    ...found.map(({ place }) => `  ${place}`),
  );
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
