/** What a program prints while it is loaded and run: for the tests of the examples. */
export async function printedBy(load: () => Promise<unknown>): Promise<readonly string[]> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (...values) => void lines.push(values.join(' '));
  try {
    await load();
  } finally {
    console.log = log;
  }
  return lines;
}
