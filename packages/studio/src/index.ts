// What a server loads: the built pages, served. The pages themselves begin at `main.tsx`.
export { type Pages, type StudioOptions, studio } from './serve/studio.ts';
