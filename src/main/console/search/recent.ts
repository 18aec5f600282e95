import type { Permission } from '../base/permissions';
import { match } from '../base/routing';

export interface Recent {
  to: string;
  title: string;
}

const MOST = 8;

export function recentWith(all: readonly Recent[], one: Recent): Recent[] {
  return [one, ...all.filter((each) => each.to !== one.to)].slice(0, MOST);
}

/** Invalid places are dropped. */
export function readRecent(text: string | null): Recent[] {
  try {
    const all: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(all)
      ? all
          .filter(
            (each: Recent) => typeof each?.to === 'string' && each.to.startsWith('/') && typeof each.title === 'string',
          )
          .slice(0, MOST)
      : [];
  } catch {
    return [];
  }
}

/** True if the role permits a place of this project; places outside it check their permission themselves. */
export function isOpen(
  place: string,
  projectId: string,
  routes: ReadonlyArray<{ pattern: string; needs?: Permission }>,
  may: (needs?: Permission) => boolean,
): boolean {
  const found = match(routes, place);
  return found?.params['projectId'] !== projectId || may(found.route.needs);
}

export const titleOf = (title: string): string => title.split(' · ')[0] ?? title;
