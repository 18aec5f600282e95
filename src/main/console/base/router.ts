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

/** A page asks before it is left while something is unsaved: returns why it should not be left, or nothing. */
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

/** Goes to another view of the console. */
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

/** Changes parts of the query and stays in the view; an empty value takes the part away. */
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

/** Told of every change of the place; returns how to stop. */
export const onPlace = (listener: () => void): (() => void) => place.subscribe(listener);

export const usePlace = (): Place => useStore(place);
export const currentPlace = (): Place => place.get();

/** What a link to a view needs; a click with a modifier is the browser's. */
export function linkTo(to: string): { href: string; onClick: (event: JSX.TargetedMouseEvent<HTMLElement>) => void } {
  return {
    href: prefix + to,
    onClick: (event) => {
      if (!event.defaultPrevented && event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) {
        event.preventDefault();
        navigate(to);
      }
    },
  };
}

/** A view: its pattern, and the module that has it, which is fetched when it is first shown. */
export interface Route {
  pattern: string;
  /** What the role in the project must allow. */
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

/** The view of the current place; `view` is absent while it is fetched, and `pattern` empty when there is none. */
export function useRoute(routes: readonly Route[]): Shown {
  const { path } = usePlace();
  const found: Match<Route> | undefined = match(routes, path);
  const [, again] = useState(0);
  const [failed, fail] = useState<Route | null>(null);
  const route = found?.route;
  useEffect(() => {
    if (route && !loaded.has(route)) {
      route.load().then(
        (module) => {
          loaded.set(route, module.default);
          again((n) => n + 1);
        },
        () => fail(route),
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
