import { useEffect } from 'preact/hooks';
import { useSeeker, type Command } from '../base/commands';
import { kept } from '../base/kept';
import { navigate, usePlace } from '../base/router';
import { createStore } from '../base/store';
import { t } from '../base/text';
import { readRecent, recentWith, titleOf, type Recent } from './recent';
import { seekerOf } from './seek';

const KEPT = 'millrace.recent';
/** A view has said its title by then. */
const TITLED_MS = 1_500;

export const recent = createStore<Recent[]>(readRecent(kept.get(KEPT)));

/** What the palette finds in a project beside commands, and the places that were looked at last. */
export function useSearch(projectId: string): void {
  const { path } = usePlace();
  useSeeker(seekerOf(projectId), [projectId]);
  useEffect(() => {
    if (path === '/') {
      return undefined;
    }
    const timer = setTimeout(() => {
      recent.set(recentWith(recent.get(), { to: path, title: titleOf(document.title) }));
      kept.set(KEPT, JSON.stringify(recent.get()));
    }, TITLED_MS);
    return () => clearTimeout(timer);
  }, [path]);
}

/** The places that were looked at before this one. */
export const recentCommands = (path: string): Command[] => recent.get().filter((each) => each.to !== path).map((each) => ({
  id: `recent-${each.to}`, label: each.title, icon: 'history', group: t('search.recent'), perform: () => navigate(each.to),
}));
