import { holdfastError } from '../../errors/holdfast-error.ts';
import { maskedUrl } from '../../value/mask-url.ts';
import type { Store } from '../store.ts';
import { type PostgresServer, storeOnServers } from './open.ts';

const form =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?]*)(?:\/(?<database>[^?]*))?(?:\?(?<query>.*))?$/u;

/** What a URL says beside the servers. */
interface UrlOptions {
  schema: string | undefined;
  named: boolean;
  max: number | undefined;
  ssl: PostgresServer['ssl'];
}

type Setting = (options: UrlOptions, value: string) => boolean;

/** Each returns false for a value that it does not know. */
const settings: Readonly<Record<string, Setting>> = {
  schema: (options, value) => {
    options.schema = value;
    return true;
  },
  named: (options, value) => {
    options.named = value === 'true';
    return value === 'true' || value === 'false';
  },
  max: (options, value) => {
    options.max = Number(value);
    return Number.isSafeInteger(options.max) && options.max > 1;
  },
  sslmode: (options, value) => {
    const modes: Readonly<Record<string, PostgresServer['ssl']>> = {
      disable: false,
      require: { rejectUnauthorized: false },
      'verify-full': true,
    };
    options.ssl = modes[value];
    return Object.hasOwn(modes, value);
  },
};

/** What a URL says. */
interface PostgresAddress {
  readonly servers: readonly PostgresServer[];
  readonly options: Readonly<Pick<UrlOptions, 'schema' | 'named' | 'max'>>;
}

/**
 * The store at `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with several hosts separated by commas, and the parameters
 * `schema`, `named`, `max` and `sslmode`.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function postgresStoreAt(url: string): Store {
  const { servers, options } = readPostgresUrl(url);
  return storeOnServers(servers, options);
}

/** The servers that a URL names, and what it says beside them. @throws HOLDFAST_INVALID_OPTION */
export function readPostgresUrl(url: string): PostgresAddress {
  const parts = form.exec(url)?.groups;
  if (parts === undefined) throw invalid(url, 'it is no URL of a database');
  const { user, password, hosts = '', database, query = '' } = parts;
  const options: UrlOptions = { schema: undefined, named: true, max: undefined, ssl: undefined };
  for (const [name, value] of new URLSearchParams(query)) {
    const set = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (set === undefined) throw invalid(url, `there is no parameter ${JSON.stringify(name)}`);
    if (!set(options, value)) throw invalid(url, `${name} cannot be ${JSON.stringify(value)}`);
  }
  const servers = hosts.split(',').map((host): PostgresServer => {
    const place = /^(\[.*\]|[^:]*)(?::(\d+))?$/u.exec(host);
    // Perhaps a user and a password, without an @ and a host: nothing of it may end up in a message.
    if (place === null) throw invalid('postgres://***', 'its host is none');
    const [, name = '', port] = place;
    return {
      ...(name === '' ? {} : { host: decodeURIComponent(name).replace(/^\[|\]$/gu, '') }),
      ...(port === undefined ? {} : { port: Number(port) }),
      ...decoded({ user, password, database }),
      ...(options.ssl === undefined ? {} : { ssl: options.ssl }),
    };
  });
  return { servers, options };
}

function decoded(parts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const given = Object.entries(parts).filter(
    (part): part is [string, string] => part[1] !== undefined && part[1] !== '',
  );
  return Object.fromEntries(given.map(([name, value]) => [name, decodeURIComponent(value)]));
}

function invalid(url: string, why: string): Error {
  const shown = maskedUrl(url);
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `${JSON.stringify(shown)} is not the address of a Postgres store: ${why}. Write postgres://USER:PASSWORD@HOST/DATABASE or postgres://HOST/DATABASE?schema=NAME.`,
    { details: { url: shown } },
  );
}
