import { useEffect } from 'preact/hooks';
import { useSeeker, type Command } from '../base/commands';
import { kept } from '../base/kept';
import { may } from '../base/permissions';
import { navigate, usePlace, type Route } from '../base/router';
import { createStore } from '../base/store';
import { t } from '../base/text';
import { isOpen, readRecent, recentWith, titleOf, type Recent } from './recent';
import { seekerOf } from './seek';

/** A view has set its title by then. */
const TITLED_MS = 1_500;

export const recent = createStore<Recent[]>([]);

export function useSearch(projectId: string, userId: string): void {
  const { path } = usePlace();
  const own = `millrace.recent.${userId}`;
  useSeeker(seekerOf(projectId), [projectId]);
  useEffect(() => recent.set(readRecent(kept.get(own))), [own]);
  useEffect(() => {
    if (path === '/') {
      return undefined;
    }
    const timer = setTimeout(() => {
      recent.set(recentWith(recent.get(), { to: path, title: titleOf(document.title) }));
      kept.set(own, JSON.stringify(recent.get()));
    }, TITLED_MS);
    return () => clearTimeout(timer);
  }, [path, own]);
}

export const recentCommands = (path: string, projectId: string, routes: readonly Route[]): Command[] =>
  recent
    .get()
    .filter((each) => each.to !== path && isOpen(each.to, projectId, routes, may))
    .map((each) => ({
      id: `recent-${each.to}`,
      label: each.title,
      icon: 'history',
      group: t('search.recent'),
      perform: () => navigate(each.to),
    }));
