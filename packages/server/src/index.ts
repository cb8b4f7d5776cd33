export { type Api, api } from './api.ts';
export { ApiError, type ApiErrorCode } from './api-error.ts';
export type { Action, Authorize, Caller } from './caller/caller.ts';
export type { Limits } from './limits.ts';
export { type NodeHandlerOptions, nodeHandler } from './node/node-handler.ts';
export { type RunningServer, type ServeOptions, serve } from './node/serve.ts';
export type { ApiOptions, Graphs, ServerEvent } from './options.ts';
