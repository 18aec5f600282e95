import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Props {
  title: string;
  /** One sentence on what it is for. */
  text?: ComponentChildren;
  actions?: ComponentChildren;
  /** Without a border of its own, around a table that has one. */
  plain?: boolean;
  children?: ComponentChildren;
}

/** One subject of a page: its title, what can be done with it, and what belongs to it. */
export function Panel({ title, text, actions, plain = false, children }: Props) {
  const id = useId();
  return (
    <section class={plain ? 'section plain' : 'section card'} aria-labelledby={id}>
      <header class="section-head">
        <div class="section-words">
          <h2 id={id}>{title}</h2>
          {text ? <p class="faint">{text}</p> : null}
        </div>
        {actions ? <div class="section-actions">{actions}</div> : null}
      </header>
      {children}
    </section>
  );
}

/** Facts by name, such as what is set. */
export function Facts({ facts }: { facts: ReadonlyArray<readonly [string, ComponentChildren]> }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
    </dl>
  );
}
