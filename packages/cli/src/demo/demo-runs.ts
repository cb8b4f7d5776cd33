/** The runs of the demo: one that needs nobody, and one that a person has to approve. */
export const demoRuns: readonly { readonly id: string; readonly cents: number }[] = [
  { id: 'ord_80', cents: 1_200 },
  { id: 'ord_81', cents: 12_000 },
];
/** In the middle of this call of this run the worker is killed. */
export const fatalCall: { readonly runId: string; readonly call: string } = {
  runId: 'ord_81',
  call: 'tool: check for fraud',
};
