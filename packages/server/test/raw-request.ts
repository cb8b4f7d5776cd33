// Requests that no client of ours would send, byte by byte.
import { connect } from 'node:net';
import type { Served } from './fixture.ts';

/** What the server writes to a connection on which exactly this is sent, until it ends. */
export function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let got = '';
    socket.on('data', (data) => {
      got += data.toString('latin1');
    });
    socket.on('close', () => resolve(got));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(got) : reject(error),
    );
  });
}

/** The same for a request with these headers besides the token. */
export function request(
  here: Served,
  line: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<string> {
  const all = {
    host: `127.0.0.1:${here.server.port}`,
    authorization: `Bearer ${here.server.token}`,
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return raw(here.server.port, `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
