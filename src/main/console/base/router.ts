import { useEffect, useState } from 'preact/hooks';
import type { ComponentType, JSX } from 'preact';
import type { Permission } from '#api';
import { prefix } from './prefix';
import { createStore, useStore } from './store';
import { match, type Match } from './routing';

export interface Place {
  path: string;
  query: URLSearchParams;
}

const here = (): Place => ({
  path: decodeURI(location.pathname.slice(prefix.length)) || '/',
  query: new URLSearchParams(location.search),
});

const place = createStore<Place>(here());
window.addEventListener('popstate', () => place.set(here()));

/** Asks before a page with unsaved changes is left: returns the reason to stay, or undefined. */
let guard: () => string | undefined = () => undefined;

export function guardLeaving(reason: () => string | undefined): () => void {
  guard = reason;
  return () => {
    guard = () => undefined;
  };
}

window.addEventListener('beforeunload', (event) => {
  if (guard() !== undefined) {
    event.preventDefault();
  }
});

export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  const reason = guard();
  if (how === 'push' && reason !== undefined && !window.confirm(reason)) {
    return;
  }
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', prefix + to);
  const before = place.get().path;
  place.set(here());
  if (how === 'push' && place.get().path !== before) {
    window.scrollTo(0, 0);
  }
}

/** An empty value removes the parameter. */
export function narrow(changes: Record<string, string | undefined>): void {
  const query = new URLSearchParams(place.get().query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') {
      query.delete(name);
    } else {
      query.set(name, value);
    }
  }
  const text = query.toString();
  navigate(place.get().path + (text === '' ? '' : '?' + text), 'replace');
}

export const onPlace = (listener: () => void): (() => void) => place.subscribe(listener);

export const usePlace = (): Place => useStore(place);
export const currentPlace = (): Place => place.get();

/** Clicks with a modifier key are left to the browser. */
export function linkTo(to: string): { href: string; onClick: (event: JSX.TargetedMouseEvent<HTMLElement>) => void } {
  return {
    href: prefix + to,
    onClick: (event) => {
      if (
        !event.defaultPrevented &&
        event.button === 0 &&
        !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      ) {
        event.preventDefault();
        navigate(to);
      }
    },
  };
}

export interface Route {
  pattern: string;
  /** Permission that the role in the project must have. */
  needs?: Permission;
  load: () => Promise<{ default: ComponentType<{ params: Record<string, string> }> }>;
}

export interface Shown {
  view?: ComponentType<{ params: Record<string, string> }>;
  params: Record<string, string>;
  pattern: string;
  needs?: Permission;
  failed: boolean;
}

const loaded = new Map<Route, ComponentType<{ params: Record<string, string> }>>();

/** View of the current location; `view` is absent while it loads, and `pattern` is empty if no route matches. */
export function useRoute(routes: readonly Route[]): Shown {
  const { path } = usePlace();
  const found: Match<Route> | undefined = match(routes, path);
  const [, again] = useState(0);
  const [failed, setFailed] = useState<Route | null>(null);
  const route = found?.route;
  useEffect(() => {
    if (route && !loaded.has(route)) {
      route.load().then(
        (module) => {
          loaded.set(route, module.default);
          again((n) => n + 1);
        },
        () => setFailed(route),
      );
    }
  }, [route]);
  return {
    ...(route && loaded.has(route) ? { view: loaded.get(route)! } : {}),
    params: found?.params ?? {},
    pattern: route?.pattern ?? '',
    ...(route?.needs ? { needs: route.needs } : {}),
    failed: failed !== null && failed === route,
  };
}
