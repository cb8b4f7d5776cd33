// No graph: a function whose steps are remembered. It sleeps for days, and takes a message that came meanwhile.
import { openEngine, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { z } from 'zod';

const onboard = workflow(
  'onboard',
  { input: z.object({ email: z.string() }), receives: { verified: z.object({ at: z.string() }) } },
  async ({ email }, { step, sleep, receive }) => {
    // What is not in a step may run again: after the sleep the function begins anew, and the step gives its old result.
    console.log('the function runs');
    const account = await step('create', async () => {
      console.log('  an account is created');
      return `account of ${email}`;
    });
    await sleep('cool-off', '3d');
    const verified = await receive('verified', { timeout: '30d' });
    return verified === undefined ? `${account} was never verified` : `${account}, verified ${verified.at}`;
  },
);

const clock = virtualClock(); // three days in no time
const engine = await openEngine('memory:', { clock });
const signup = await engine.start(onboard, { email: 'ada@example.org' }, { id: 'signup-1' });
await signup.send('verified', { at: 'on Monday' }, { id: 'mail-9' }); // the same id again would be the same message
await clock.advance('1d');
console.log(`after a day: ${(await signup.summary()).status}`);
await clock.advance('2d');
console.log(`after three: ${await signup.result()}`);
await engine.close();
