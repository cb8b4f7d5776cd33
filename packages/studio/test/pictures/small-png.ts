// Pictures for a repository: a screenshot as a PNG with a palette, a quarter of its size. It needs no program of the machine.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes per pixel. */
  readonly pixels: Uint8Array;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const paletteType = 3;
const mostColours = 128;
/** Colours closer than this look the same: the sum of the differences of their parts. */
const leastDistance = 9;

/** A screenshot of Chromium with at most 128 colours. */
export function smallPng(png: Uint8Array): Uint8Array {
  const { width, height, pixels } = decoded(Buffer.from(png));
  const palette = paletteOf(pixels);
  const lines = Buffer.alloc(height * (width + 1));
  const known = new Map<number, number>();
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const colour = colourAt(pixels, 3 * (y * width + x));
      let index = known.get(colour);
      if (index === undefined) known.set(colour, (index = nearest(palette, colour)));
      lines[y * (width + 1) + 1 + x] = index;
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = paletteType;
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = [chunk('IHDR', header), chunk('PLTE', colours), chunk('IDAT', deflateSync(lines, { level: 9 }))];
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))]);
}

/** The colours that occur most, without those that look like one of them. */
function paletteOf(pixels: Uint8Array): readonly number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = colourAt(pixels, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette: number[] = [];
  for (const [colour] of [...counts].toSorted(([, one], [, other]) => other - one)) {
    if (palette.length === mostColours) break;
    if (palette.every((each) => distance(each, colour) >= leastDistance)) palette.push(colour);
  }
  return palette;
}

function nearest(palette: readonly number[], colour: number): number {
  let best = 0;
  for (let index = 1; index < palette.length; index += 1)
    if (distance(palette[index] ?? 0, colour) < distance(palette[best] ?? 0, colour)) best = index;
  return best;
}

function distance(one: number, other: number): number {
  const part = (shift: number): number => Math.abs(((one >> shift) & 255) - ((other >> shift) & 255));
  return part(16) + part(8) + part(0);
}

function colourAt(pixels: Uint8Array, at: number): number {
  return ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** The pixels of a PNG of 8 bits per part, with or without an alpha part: what Chromium makes. */
function decoded(png: Buffer): Picture {
  let width = 0;
  let height = 0;
  let parts = 3;
  const data: Buffer[] = [];
  for (let at = signature.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === 'IDAT') data.push(body);
    if (type !== 'IHDR') continue;
    width = body.readUInt32BE(0);
    height = body.readUInt32BE(4);
    parts = body[9] === 6 ? 4 : 3;
  }
  const lines = unfiltered(inflateSync(Buffer.concat(data)), { width, height, parts });
  const pixels = new Uint8Array(3 * width * height);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    for (let part = 0; part < 3; part += 1) pixels[3 * pixel + part] = lines[parts * pixel + part] ?? 0;
  return { width, height, pixels };
}

interface Shape {
  readonly width: number;
  readonly height: number;
  readonly parts: number;
}

/** Undoes the filters of a PNG: each line says how its bytes follow from those at the left and above. */
function unfiltered(bytes: Uint8Array, { width, height, parts }: Shape): Uint8Array {
  const length = width * parts;
  const lines = new Uint8Array(length * height);
  for (let y = 0; y < height; y += 1) {
    const filter = bytes[y * (length + 1)] ?? 0;
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x;
      const left = x < parts ? 0 : (lines[at - parts] ?? 0);
      const above = y === 0 ? 0 : (lines[at - length] ?? 0);
      const corner = x < parts || y === 0 ? 0 : (lines[at - length - parts] ?? 0);
      lines[at] = (bytes[y * (length + 1) + 1 + x] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return lines;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((each) => Math.abs(guess - each)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
