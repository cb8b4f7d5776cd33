// A worker of a peer, until it is killed: it begins a long run, or continues what others began, and tells of each step.
// Run by src/takeover-peers.ts: MODULE URL, and `begin` for the first one.
const [module, url, order] = process.argv.slice(2);
const { openPeer } = await import(`./${module}.js`);

const peer = await openPeer({ url, executor: order === 'begin' ? 'first' : 'second', stepMs: 20, onStep: tell });
process.send('ready');
if (order === 'begin') await peer.run(1_000_000);

function tell() {
  process.send('step');
}
