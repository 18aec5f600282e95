import type { Permission } from '../base/permissions';
import { match } from '../base/routing';

/** A place that was looked at, by the title that it had. */
export interface Recent {
  to: string;
  title: string;
}

const MOST = 8;

/** The places with one more in front; each stands there once. */
export function recentWith(all: readonly Recent[], one: Recent): Recent[] {
  return [one, ...all.filter((each) => each.to !== one.to)].slice(0, MOST);
}

/** What was kept, as far as it is what it should be. */
export function readRecent(text: string | null): Recent[] {
  try {
    const all: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(all) ? all.filter((each: Recent) => typeof each?.to === 'string' && each.to.startsWith('/') && typeof each.title === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Whether the role in a project allows a place in it; what is elsewhere says so itself when it is looked at. */
export function isOpen(place: string, projectId: string, routes: ReadonlyArray<{ pattern: string; needs?: Permission }>, may: (needs?: Permission) => boolean): boolean {
  const found = match(routes, place);
  return found?.params['projectId'] !== projectId || may(found.route.needs);
}

/** A window's title without the name of the platform. */
export const titleOf = (title: string): string => title.split(' · ')[0] ?? title;
