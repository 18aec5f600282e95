import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { brand } from '../base/brand';
import { useStore } from '../base/store';
import { Logo } from '../frame/Logo';

export function Gate({
  title,
  text,
  step,
  wide = false,
  children,
}: {
  title: string;
  text?: string;
  step?: string;
  wide?: boolean;
  children: ComponentChildren;
}) {
  const { name, full } = useStore(brand);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${name}`;
    if (!document.querySelector('.gate [autofocus]')) {
      heading.current?.focus();
    }
    document.querySelector<HTMLElement>('.gate [autofocus]')?.focus();
  }, [title]);
  return (
    <div class="centre">
      <main class={wide ? 'gate wide' : 'gate'}>
        <div class="gate-brand">
          {full ? (
            <img class="full-logo" src={full} alt={name} />
          ) : (
            <>
              <Logo size={28} />
              {name}
            </>
          )}
          <span class="spread" />
          {step ? <span class="faint">{step}</span> : null}
        </div>
        <div class="gate-head">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {text ? <p class="faint">{text}</p> : null}
        </div>
        {children}
      </main>
    </div>
  );
}
