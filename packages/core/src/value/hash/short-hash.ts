import { hash } from 'node:crypto';

/** 128 bits of the SHA-256 of a text, in 22 characters: enough to tell texts apart, too little to read one back. */
export function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
