import { hasPeers, openPeer, type Peer, type PeerOptions } from '../peers.ts';
import type { Figure } from '../report.ts';
import { median } from '../timing.ts';
import type { BenchServer } from './bench-server.ts';

/** The peers that keep their runs in Postgres. */
const modules = ['dbos', 'openworkflow', 'langgraph', 'absurd'] as const;

/** Peers on the same server, each with a database of its own. */
export interface PostgresPeers {
  /** Has each do the work once, and keeps what it reached, in steps per second. */
  measure(): Promise<void>;
  figures(): readonly Figure[];
  /** The median of what the best one reached. Undefined: none is installed. */
  best(): number | undefined;
  close(): Promise<void>;
}

interface PeersOptions {
  readonly server: BenchServer;
  /** So many runs of ten trivial steps, all together or one after another. */
  readonly runs: number;
  readonly atOnce: boolean;
}

const steps = 10;

/** Opens those that can be opened. */
export async function openPostgresPeers({ server, runs, atOnce }: PeersOptions): Promise<PostgresPeers> {
  const opened = new Map<string, { readonly peer: Peer; readonly rates: number[] }>();
  for (const module of modules) {
    if (!hasPeers() || (module === 'absurd' && process.env['HOLDFAST_ABSURD_SQL'] === undefined)) continue;
    await server.cluster.primary.sql(`CREATE DATABASE ${module}`);
    const url = server.cluster.primary.url.replace(/[^/]*$/u, module);
    const options: PeerOptions = module === 'langgraph' ? { module, saver: 'postgres', path: url } : { module, url };
    const peer = await openPeer(options);
    // Warm, as the other side.
    await peer.measure({ runs, steps, atOnce });
    opened.set(module, { peer, rates: [] });
  }
  const reached = (): number[] => [...opened.values()].map(({ rates }) => median(rates));
  return {
    measure: async () => {
      for (const { peer, rates } of opened.values()) {
        rates.push(1_000_000 / (await peer.measure({ runs, steps, atOnce })));
      }
    },
    figures: () => [...opened].map(([name, { rates }]) => ({ name, value: median(rates), unit: 'steps/s' })),
    best: () => (opened.size === 0 ? undefined : Math.max(...reached())),
    close: async () => {
      for (const { peer } of opened.values()) await peer.close();
    },
  };
}
