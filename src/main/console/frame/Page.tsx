import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { brand } from '../base/brand';
import { useStore } from '../base/store';

interface Props {
  title: string;
  /** Right of the title: at most one primary button. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Page({ title, actions, children }: Props) {
  const name = useStore(brand, (known) => known.name);
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <div class="page">
      <header class="page-head">
        <h1>{title}</h1>
        {actions ? <div class="page-actions">{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}
