import { render } from 'preact';
import { startPulse } from './api/pulse.ts';
import { App } from './shell/app.tsx';
import { startKeys } from './shell/keys.ts';
import { startRouter } from './shell/router.ts';
import './style/index.ts';

const root = document.querySelector('#studio');
if (root === null) throw new Error('The page has no place for the studio.');
startRouter();
startKeys();
startPulse();
render(<App />, root);
