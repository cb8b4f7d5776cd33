// The Chromium of the package @sparticuz/chromium, so that `npm ci` is all that a browser test needs; otherwise the system's.
import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

/** A browser on disk, and what its process needs to know. */
export interface Chromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const systemPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Finds a Chromium. Unpacks the package's once for each of its versions. */
export async function findChromium(): Promise<Chromium> {
  const packed = packedHere();
  if (packed !== undefined) return unpacked(packed);
  const executablePath = systemPaths.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error(
      `No Chromium: @sparticuz/chromium has none for ${process.platform} ${process.arch}, and none is installed.`,
    );
  return { executablePath, env: {} };
}

interface Packed {
  readonly bin: string;
  readonly cache: string;
}

/** The package's binary is for Linux on x64 alone. */
function packedHere(): Packed | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const require = createRequire(import.meta.url);
  // The exports of the package lead into its folder build/cjs.
  const root = join(dirname(require.resolve('@sparticuz/chromium')), '../..');
  const bin = join(root, 'bin');
  const { version } = require(join(root, 'package.json')) as { readonly version: string };
  return existsSync(bin) ? { bin, cache: join(root, '../../.cache/holdfast', `chromium-${version}`) } : undefined;
}

/** The package unpacks into one folder for all, where two processes that begin at once start half a browser. */
async function unpacked({ bin, cache }: Packed): Promise<Chromium> {
  if (!existsSync(cache)) {
    await mkdir(dirname(cache), { recursive: true });
    const draft = await mkdtemp(`${cache}-`);
    const executable = createWriteStream(join(draft, 'chromium'), { mode: 0o755 });
    await pipeline(createReadStream(join(bin, 'chromium.br')), createBrotliDecompress(), executable);
    for (const name of ['al2023', 'fonts', 'swiftshader']) await unpackTar(join(bin, `${name}.tar.br`), draft);
    // Another process may have been faster; its browser is as good.
    await rename(draft, cache).catch(() => rm(draft, { recursive: true, force: true }));
  }
  const executablePath = join(cache, 'chromium');
  return { executablePath, env: { ...librariesOf(executablePath, cache), ...fontsOf(cache) } };
}

async function unpackTar(file: string, into: string): Promise<void> {
  const tar = join(into, 'part.tar');
  await pipeline(createReadStream(file), createBrotliDecompress(), createWriteStream(tar));
  execFileSync('tar', ['-xf', tar, '-C', into]);
  await rm(tar);
}

/** The package's own libraries, if the system lacks some. */
function librariesOf(executablePath: string, cache: string): Record<string, string> {
  const isMissing = execFileSync('ldd', [executablePath], { encoding: 'utf8' }).includes('not found');
  return isMissing ? { LD_LIBRARY_PATH: join(cache, 'lib') } : {};
}

/** The package's own font, if the system is not set up for any. */
function fontsOf(cache: string): Record<string, string> {
  return existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: cache };
}
