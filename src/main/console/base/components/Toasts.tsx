import { useLayoutEffect, useRef } from 'preact/hooks';
import { createStore, useStore } from '../store';
import type { Failure } from '../api/failure';
import { wordsOf } from '../failureWords';
import { t } from '../text';
import { trackResult } from '../working';
import { Button } from './Button';
import { Icon } from './Icon';

interface Toast {
  id: number;
  tone: 'good' | 'bad';
  text: string;
  action?: { label: string; perform: () => unknown };
}

const SHOWN_MS = 5_000;
const SHOWN_WITH_ACTION_MS = 10_000;
const TOASTS_MAX = 4;

export const toasts = createStore<Toast[]>([]);
let last = 0;

const drop = (id: number): void => toasts.update((all) => all.filter((toast) => toast.id !== id));

export function say(text: string, action?: Toast['action']): void {
  const id = ++last;
  toasts.update((all) =>
    [...all, { id, tone: 'good' as const, text, ...(action ? { action } : {}) }].slice(-TOASTS_MAX),
  );
  setTimeout(() => drop(id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
}

/** Shows a failure until the user dismisses it. */
export function complain(failure: Failure): void {
  const words = wordsOf(failure);
  const text = [words.title, words.detail, failure.requestId ? t('error.requestId', { id: failure.requestId }) : '']
    .filter(Boolean)
    .join(' ');
  toasts.update((all) =>
    [...all.filter((toast) => toast.text !== text), { id: ++last, tone: 'bad' as const, text }].slice(-TOASTS_MAX),
  );
}

/** Toasts in the top layer. Each change opens them again: a modal dialog that was opened meanwhile would cover them. */
export function Toasts() {
  const shown = useStore(toasts);
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.current!.hidePopover();
    element.current!.showPopover();
  }, [shown]);
  return (
    <div class="toasts" ref={element} popover="manual" role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} class={`toast ${toast.tone}`}>
          <Icon name={toast.tone === 'good' ? 'circle-check' : 'triangle-alert'} />
          <p>{toast.text}</p>
          {toast.action ? (
            <Button
              kind="quiet"
              size="small"
              onClick={() => {
                drop(toast.id);
                trackResult(toast.action?.perform());
              }}>
              {toast.action.label}
            </Button>
          ) : null}
          <Button kind="quiet" size="small" icon="x" label={t('base.dismiss')} onClick={() => drop(toast.id)} />
        </div>
      ))}
    </div>
  );
}
