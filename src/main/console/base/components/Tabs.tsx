import { useId, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';

interface Props {
  label: string;
  tabs: ReadonlyArray<{ key: string; label: ComponentChildren }>;
  chosen: string;
  onChoose: (key: string) => void;
  children: ComponentChildren;
}

/** Tabs of the WAI-ARIA pattern; arrow keys select. */
export function Tabs({ label, tabs, chosen, onChoose, children }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const steer = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.key === chosen);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = (step + tabs.length) % tabs.length;
      onChoose(tabs[next]!.key);
      (list.current?.children[next] as HTMLElement | undefined)?.focus();
    }
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={steer}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === chosen ? 0 : -1}
            onClick={() => onChoose(tab.key)}>
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
