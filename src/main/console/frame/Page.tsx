import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { brand } from '../base/brand';
import { useStore } from '../base/store';

interface Props {
  title: string;
  /** At the right of the title: at most one primary button. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A view within the frame: its title, its actions, its content. The title is the window's, too. */
export function Page({ title, actions, children }: Props) {
  const name = useStore(brand, (known) => known.name);
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <div class="page">
      <header class="page-head">
        <h1>{title}</h1>
        <span class="spread" />
        {actions}
      </header>
      {children}
    </div>
  );
}
