// A small web server for the programs that need one.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A delivery of the payment provider. It may come twice. */
export interface Delivery {
  readonly id: string;
  readonly order: string;
  readonly reference: string;
}

/** Serves POST requests on a free port of this machine. */
export async function serve(
  handle: (delivery: Delivery) => Promise<number>,
): Promise<{ url: string; close(): Promise<unknown> }> {
  const server = createServer((request, response) => {
    const handled = json(request).then((body) => handle(body as Delivery));
    handled.then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => once(server.close(), 'close') };
}

/** Sends a delivery, as the payment provider does. */
export async function deliver(url: string, delivery: Delivery): Promise<number> {
  const { status } = await fetch(url, { method: 'POST', body: JSON.stringify(delivery) });
  return status;
}
