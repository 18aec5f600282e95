import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { applyBrand, brand } from '../base/brand';
import { Button } from '../base/components/Button';
import { Icon } from '../base/components/Icon';
import { Skeleton } from '../base/components/States';
import { prefix } from '../base/prefix';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { ChatPage, type Chat } from './ChatPage';
import { FormPage, type Form } from './FormPage';
import { ask, type Outcome } from './send';

type Kind = 'form' | 'chat';

/** Which page the address asks for. */
const place = /^\/(forms|chats)\/([^/]+)\/?$/.exec(location.pathname.slice(prefix.length));
const kind: Kind = place?.[1] === 'chats' ? 'chat' : 'form';
const flowId = decodeURIComponent(place?.[2] ?? '');
const draft = new URLSearchParams(location.search).get('useDraft') === 'true';

/** A page for whoever has its address: no session, no frame, the platform's own looks. */
export function GuestPage() {
  const [found, setFound] = useState<Outcome>();
  const look = async (): Promise<void> => {
    setFound(undefined);
    const [flags, outcome] = await Promise.all([
      ask('/api/v1/flags'),
      ask(`/api/v1/human-input/${kind}/${encodeURIComponent(flowId)}${draft ? '?useDraft=true' : ''}`),
    ]);
    if (flags.ok) {
      applyBrand(flags.body as Record<string, unknown>);
    }
    if (outcome.ok) {
      document.title = (outcome.body as { title: string }).title;
    }
    setFound(outcome);
  };
  useEffect(() => void look(), []);
  if (!found) {
    return <Card><Skeleton lines={4} /></Card>;
  }
  if (!found.ok) {
    const gone = found.status === 404 || found.status === 400;
    return (
      <Card title={gone ? t('guest.gone.title') : t('guest.away.title')}>
        <p>{gone ? t(kind === 'chat' ? 'guest.gone.chat' : 'guest.gone.form') : t('guest.away.text')}</p>
        {gone ? null : <div><Button icon="refresh-cw" onClick={() => void look()}>{t('base.retry')}</Button></div>}
      </Card>
    );
  }
  return kind === 'chat' ? <ChatCard chat={found.body as Chat} /> : <FormCard form={found.body as Form} />;
}

const FormCard = ({ form }: { form: Form }) => <Card title={form.title}><FormPage form={form} draft={draft} /></Card>;
const ChatCard = ({ chat }: { chat: Chat }) => <Card title={chat.title} tall><ChatPage chat={chat} draft={draft} /></Card>;

function Card({ title, tall = false, children }: { title?: string; tall?: boolean; children: ComponentChildren }) {
  const looks = useStore(brand);
  return (
    <main class={tall ? 'guest tall' : 'guest'}>
      <div class="guest-card">
        <p class="gate-brand">
          <img src={looks.logo ?? `${prefix}/assets/logo-icon.svg`} alt="" width="24" height="24" />
          <span>{looks.name}</span>
        </p>
        {title ? <h1>{title}</h1> : null}
        {draft ? <p class="notice tone-amber"><Icon name="info" /><span>{t('guest.draft')}</span></p> : null}
        {children}
      </div>
    </main>
  );
}
