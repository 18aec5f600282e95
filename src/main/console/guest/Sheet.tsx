import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './Icon';
import { brand } from './page';
import { t } from './text';

export function Sheet({
  draft = false,
  chat = false,
  children,
}: {
  draft?: boolean;
  chat?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div class={chat ? 'sheet chat-sheet' : 'sheet'}>
      <header class="brand">
        {brand.logo ? <img src={brand.logo} alt="" /> : null}
        <span class="cut">{brand.name}</span>
      </header>
      {draft ? (
        <p class="notice tone-amber">
          <Icon name="circle-alert" />
          {t('guest.draft')}
        </p>
      ) : null}
      <main>{children}</main>
    </div>
  );
}

/** Page with a message only. */
export function Word({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName;
  title: string;
  text?: string;
  children?: ComponentChildren;
}) {
  return (
    <Sheet>
      <div class="state">
        <span class="mark">
          <Icon name={icon} size={24} />
        </span>
        <h1>{title}</h1>
        {text ? <p>{text}</p> : null}
        {children ? <div class="actions">{children}</div> : null}
      </div>
    </Sheet>
  );
}
