import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Props {
  title: string;
  text?: ComponentChildren;
  actions?: ComponentChildren;
  /** Without a border, around a table with its own. */
  plain?: boolean;
  children?: ComponentChildren;
}

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

export function Facts({ facts }: { facts: ReadonlyArray<readonly [string, ComponentChildren]> }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
