// Every page in every state that someone may meet it in.
import type { Page } from 'playwright-core';

/** A page in a state. */
export interface View {
  readonly name: string;
  readonly path: string;
  /** What is there when it is ready. */
  readonly ready: string | RegExp;
  /** What someone does before it looks like that. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** At one width only: what looks the same at the other, or is not there. */
  readonly only?: 'wide' | 'narrow';
}

/** The views whose pictures are kept for the docs: one of each page. */
export const kept: ReadonlySet<string> = new Set(
  'overview runs run run-history run-timeline question fork takeover compare graphs graph store not-found'.split(' '),
);

const press =
  (key: string, shown: string) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press(key);
    await page.locator(shown).first().waitFor();
  };

/** The pages of a store after a busy week. `at`: the checkpoint of ord_81 after `decide`; `unsettled`: a run whose effect is. */
export function viewsOf(at: string, unsettled: string): readonly View[] {
  return [
    { name: 'overview', path: '', ready: /^Resume 3/u },
    { name: 'runs', path: 'runs', ready: 'ord_93' },
    { name: 'runs-ticked', path: 'runs?q=status:failed', ready: 'triage-4471', prepare: tickTwo, only: 'wide' },
    { name: 'runs-none', path: 'runs?q=status:failed+graph:nothing', ready: /^No runs? match/u },
    { name: 'runs-invalid', path: 'runs?q=colour:red', ready: /colour/u },
    { name: 'run', path: `runs/ord_81?at=${at}`, ready: 'the limit' },
    { name: 'run-journal', path: `runs/ord_81?at=${at}&tab=journal&pane=insp`, ready: 'executed' },
    { name: 'run-diff', path: `runs/ord_81?at=${at}&tab=diff&pane=insp`, ready: '/decision' },
    { name: 'run-logs', path: `runs/ord_81?at=${at}&tab=logs&pane=insp`, ready: 'decided' },
    { name: 'run-error', path: `runs/triage-4471?tab=error&pane=insp`, ready: /expected one of/u },
    { name: 'run-list', path: `runs/ord_81?at=${at}`, ready: 'the limit', prepare: asList, only: 'wide' },
    { name: 'run-history', path: `runs/ord_81?at=${at}&pane=tree`, ready: 'the limit', only: 'narrow' },
    { name: 'run-timeline', path: `runs/ord_81?at=${at}&pane=time`, ready: 'notify', only: 'narrow' },
    { name: 'run-running', path: 'runs/ing-7c41', ready: 'embed' },
    { name: 'run-pending', path: 'runs/ing-7b8e', ready: 'no worker has started it yet' },
    { name: 'run-cancelled', path: 'runs/ing-7b90', ready: 'wrong bucket' },
    { name: 'run-suspended', path: 'runs/onb_k7f2', ready: /until someone resumes it/u },
    { name: 'run-sleeping', path: 'runs/onb_k7ez?tab=question&pane=insp', ready: /until/u },
    { name: 'run-cancel', path: 'runs/ord_87', ready: /Refund €89.90/u, prepare: askToCancel },
    { name: 'run-copy', path: 'runs/ord_87', ready: /Refund €89.90/u, prepare: copyAs, only: 'wide' },
    { name: 'question', path: 'runs/ord_87', ready: /Refund €89.90/u, prepare: badAnswer },
    { name: 'question-effect', path: `runs/${unsettled}?tab=question&pane=insp`, ready: /transfer/u },
    { name: 'question-choice', path: 'runs/onb_k7d1', ready: 'Which contract does globex.example get?' },
    { name: 'fork', path: `runs/ord_81?at=${at}`, ready: 'the limit', prepare: editFork },
    { name: 'takeover', path: 'runs/ord_81/takeover', ready: 'Nothing that had finished ran twice.' },
    { name: 'takeover-none', path: 'runs/ord_92/takeover', ready: /No worker died/u },
    { name: 'compare', path: 'compare?a=ord_81&b=what-if-50', ready: /^parted at/u },
    { name: 'compare-since', path: `compare?a=${at}&b=what-if-50`, ready: 'Channels', only: 'wide' },
    { name: 'compare-same', path: `compare?a=${at}&b=${at}`, ready: /same/u },
    { name: 'compare-none', path: 'compare', ready: 'Compare' },
    { name: 'compare-missing', path: `compare?a=${at}&b=ord_none`, ready: /ord_none/u },
    { name: 'graphs', path: 'graphs', ready: 'onboarding' },
    { name: 'graph', path: 'graphs/refunds', ready: 'this build' },
    { name: 'graph-problems', path: 'graphs/onboarding', ready: 'this build', prepare: badStart },
    { name: 'graph-json', path: 'graphs/refunds', ready: 'this build', prepare: startAsJson },
    { name: 'graph-missing', path: 'graphs/nothing', ready: /nothing/u },
    { name: 'store', path: 'store', ready: /^Prune \d/u, prepare: keepNone },
    { name: 'store-prune', path: 'store', ready: /^Prune \d/u, prepare: askToPrune },
    { name: 'help', path: 'runs', ready: 'ord_93', prepare: press('?', 'dialog[open]') },
    {
      name: 'state-empty',
      path: 'runs',
      ready: 'ord_93',
      prepare: answered('runs?*', { runs: [], next: null }, 'No runs'),
    },
    { name: 'state-loading', path: 'runs', ready: 'ord_93', prepare: neverAnswered },
    { name: 'state-locked', path: 'runs', ready: 'ord_93', prepare: refused('HOLDFAST_STORE_LOCKED', 503) },
    { name: 'state-newer', path: 'store', ready: 'Size by graph', prepare: refused('HOLDFAST_UNKNOWN_FORMAT', 503) },
    { name: 'state-no-token', path: 'runs', ready: 'ord_93', prepare: refused('HTTP_UNAUTHORIZED', 401) },
    { name: 'state-failed', path: 'graphs', ready: 'onboarding', prepare: refused('HTTP_INTERNAL', 500) },
    { name: 'state-cut', path: '', ready: /^Resume 3/u, prepare: cutOff },
    { name: 'not-found', path: 'nowhere', ready: 'There is no such page' },
    { name: 'run-not-found', path: 'runs/ord_8l', ready: /There is no run/u },
  ];
}

async function tickTwo(page: Page): Promise<void> {
  for (const id of ['triage-4471', 'triage-4468']) await page.getByLabel(`Tick ${id}`).check();
}

async function asList(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await page.locator('.glist li').first().waitFor();
}

async function askToCancel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel', exact: true }).first().click();
  await page.locator('dialog[open]').waitFor();
}

async function copyAs(page: Page): Promise<void> {
  await page.locator('.p-insp form').getByRole('button', { name: 'Copy as' }).click();
  await page.locator('[popover]:popover-open').waitFor();
}

async function badAnswer(page: Page): Promise<void> {
  await page.getByLabel(/^Amount in cents/u).fill('98900');
  await page.locator('.qs form button[type="submit"]').click();
  await page.getByText(/Must be at most/u).waitFor();
}

async function editFork(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Fork/u }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('.cm-content .v-number', { hasText: '12000' }).first().dblclick();
  await page.keyboard.type('5000');
  await dialog.getByText('/cents').first().waitFor({ state: 'attached' });
  await dialog.getByLabel('Id', { exact: true }).fill('below-limit');
}

async function badStart(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator('.err').first().waitFor();
}

async function startAsJson(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.locator('.cm-content').waitFor();
}

async function keepNone(page: Page): Promise<void> {
  await page.getByLabel('Older than').fill('1h');
  await page.getByLabel('Keep newest').fill('0');
  await page.getByRole('button', { name: /^Prune [1-9]/u }).waitFor();
}

async function askToPrune(page: Page): Promise<void> {
  await keepNone(page);
  await page.getByRole('button', { name: /^Prune [1-9]/u }).click();
  await page.locator('dialog[open]').waitFor();
}

/** Has the API answer with something, and loads the page again. */
function answered(path: string, json: object, shown: string) {
  return async (page: Page): Promise<void> => {
    await page.route(`**/api/v1/${path}`, (route) => route.fulfill({ json }));
    await page.reload();
    await page.getByText(shown).first().waitFor();
  };
}

/** Has the API refuse what the page asks for first. */
function refused(code: string, status: number) {
  return async (page: Page): Promise<void> => {
    const error = { code, message: `As if ${code} had happened.` };
    await page.route(/\/api\/v1\/(?:runs|store|graphs)(?:\?|$)/u, (route) =>
      route.fulfill({ status, json: { error } }),
    );
    await page.reload();
    await page.getByText(code).first().waitFor();
  };
}

async function neverAnswered(page: Page): Promise<void> {
  await page.route('**/api/v1/runs?*', () => undefined);
  await page.reload();
  await page.locator('.sk').first().waitFor();
}

async function cutOff(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.getByText('Nothing is lost: runs continue.').waitFor();
}
