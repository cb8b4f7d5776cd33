import type { IconName } from '../part/icon-shapes.ts';
import type { Page } from './place.ts';

/** A page that the navigation leads to. */
export interface NavItem {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** What follows `g`. */
  readonly key: string;
  /** Pages that belong to it. */
  readonly pages: readonly Page[];
}

/** The pages of the navigation. The tab bar of a narrow window has room for five. */
export const navItems: readonly NavItem[] = [
  { path: '', title: 'Overview', icon: 'home', key: 'o', pages: ['overview'] },
  { path: 'runs', title: 'Runs', icon: 'runs', key: 'r', pages: ['runs', 'run', 'compare'] },
  { path: 'graphs', title: 'Graphs', icon: 'graph', key: 'g', pages: ['graphs', 'graph'] },
  { path: 'store', title: 'Store', icon: 'store', key: 's', pages: ['store'] },
];
