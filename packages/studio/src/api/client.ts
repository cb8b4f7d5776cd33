import { Client } from '@holdfast/server/client';
import { mount } from './mount.ts';

/** The API of the server that served this page. Who opened the printed address has a cookie. */
export const client: Client = new Client({ url: mount.replace(/\/$/u, '') });

/** Where the API is, for commands that people copy. */
export const apiAddress: string = `${location.origin}${mount}api/v1`;
