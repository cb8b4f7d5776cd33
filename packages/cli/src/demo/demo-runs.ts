/** The runs of the demo: one that needs no approval, and one that does. */
export const demoRuns: readonly { readonly id: string; readonly cents: number }[] = [
  { id: 'ord_80', cents: 1_200 },
  { id: 'ord_81', cents: 12_000 },
];
/** The run whose worker people kill themselves, while the studio is open. */
export const watchedRun: { readonly id: string; readonly cents: number } = { id: 'ord_82', cents: 8_900 };
/** The worker is killed in the middle of this call. */
export const fatalCall: { readonly runId: string; readonly call: string } = {
  runId: 'ord_81',
  call: 'tool: check for fraud',
};
