import { useEffect } from 'preact/hooks';
import { createStore } from './store';
import type { IconName } from './components/Icon';
import { handles, type KeyPress } from './keymap';
import { may, type Permission } from './permissions';

/** Something a person can do: in the palette by its name, and by its keys where it has some. */
export interface Command {
  id: string;
  label: string;
  icon?: IconName;
  /** As `Ctrl+K` or `g f` (one after the other). */
  keys?: string;
  /** Found by these words too. */
  words?: string;
  group?: string;
  /** What the role in the project must allow. */
  needs?: Permission;
  /** Not offered where this is false. */
  when?: () => boolean;
  perform: () => void;
}

/** Finds what has a name that fits; somebody types on meanwhile, and the answer is then dropped. */
export type Seeker = (typed: string, signal: AbortSignal) => Promise<Command[]>;

export const seeker = createStore<Seeker>(() => Promise.resolve([]));

/** Commands that the palette offers first while nothing is typed. */
export const first = createStore<() => Command[]>(() => []);

/** Lets the palette find more than commands, for as long as the component is there. */
export function useSeeker(own: Seeker, dependencies: unknown[]): void {
  useEffect(() => seeker.set(own), dependencies);
}

export const commands = createStore<Command[]>([]);

/** Offers commands for as long as the component is there. Later ones win over earlier ones with the same keys. */
export function useCommands(own: Command[], dependencies: unknown[] = []): void {
  useEffect(() => {
    commands.update((all) => [...all, ...own]);
    return () => commands.update((all) => all.filter((command) => !own.includes(command)));
  }, dependencies);
}

export const offered = (): Command[] => commands.get().filter((command) => may(command.needs) && (command.when?.() ?? true));

let pending = '';

/** Typing into a field is not a command, unless a modifier is held. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return target !== null && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    const press: KeyPress = { key: event.key, ctrl: event.ctrlKey || event.metaKey, alt: event.altKey, shift: event.shiftKey };
    if (event.defaultPrevented || (isTyping(event) && !press.ctrl) || document.querySelector('dialog[open]')) {
      pending = '';
      return;
    }
    for (const command of offered().reverse()) {
      const outcome = command.keys ? handles(command.keys, pending, press) : 'no';
      if (outcome === 'yes') {
        event.preventDefault();
        pending = '';
        command.perform();
        return;
      }
    }
    const begins = offered().some((command) => command.keys && handles(command.keys, '', press) === 'begins');
    pending = begins ? press.key.toLowerCase() : '';
  });
}
