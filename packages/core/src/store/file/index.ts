/** `holdfast/file`: a store in a directory that people can read. */
export { type FileStoreOptions, fileStore } from './open.ts';
