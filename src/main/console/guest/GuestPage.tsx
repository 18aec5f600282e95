import type { Chat, Form } from '#api';
import { useEffect, useState } from 'preact/hooks';
import { ChatPage } from './chat/ChatPage';
import { wordsOf } from './failureWords';
import { FormPage } from './form/FormPage';
import { Icon } from './Icon';
import { brand, prefix } from './page';
import type { Place } from './place';
import { look, type Absence, type Found } from './server';
import { Sheet, Word } from './Sheet';
import { t } from './text';

export function GuestPage({ place }: { place: Place | undefined }) {
  const [found, setFound] = useState<Found>();
  const ask = async (): Promise<void> => {
    if (place) {
      setFound(undefined);
      const now = await look(place);
      document.title = now.kind === 'shown' ? `${now.view.title} · ${brand.name}` : brand.name;
      setFound(now);
    }
  };
  useEffect(() => void ask(), []);
  if (!place) {
    return <Word icon="circle-help" title={t('guest.address.title')} text={t('guest.address.text')} />;
  }
  if (!found) {
    return (
      <Sheet>
        <p class="waiting" role="status">
          <Icon name="loader-circle" spin size={20} />
          {t('guest.loading')}
        </p>
      </Sheet>
    );
  }
  switch (found.kind) {
    case 'absent':
      return <Absent place={place} why={found.why} />;
    case 'failed':
      return (
        <Word
          icon="triangle-alert"
          title={wordsOf(found.failure)}
          {...(found.failure.requestId ? { text: t('failure.request', { id: found.failure.requestId }) } : {})}>
          <button class="button" type="button" onClick={() => void ask()}>
            <Icon name="refresh-cw" />
            {t('guest.again')}
          </button>
        </Word>
      );
    case 'shown':
      return place.kind === 'form' ? (
        <FormPage form={found.view as Form} place={place} />
      ) : (
        <ChatPage chat={found.view as Chat} place={place} />
      );
  }
}

function Absent({ place, why }: { place: Place; why: Absence }) {
  const { kind } = place;
  switch (why) {
    case 'other-kind': {
      const to = `${prefix}/${kind === 'form' ? 'chats' : 'forms'}/${encodeURIComponent(place.flowId)}${place.draft ? '?useDraft=true' : ''}`;
      return (
        <Word icon="message-square" title={t(kind === 'form' ? 'guest.form.isChat.title' : 'guest.chat.isForm.title')}>
          <a class="button primary" href={to}>
            {t(kind === 'form' ? 'guest.form.isChat.link' : 'guest.chat.isForm.link')}
          </a>
        </Word>
      );
    }
    case 'not-published':
      return (
        <Word icon="clock" title={t(`guest.${kind}.notPublished.title`)} text={t(`guest.${kind}.notPublished.text`)} />
      );
    case 'not-found':
      return (
        <Word icon="circle-help" title={t(`guest.${kind}.notFound.title`)} text={t(`guest.${kind}.notFound.text`)} />
      );
  }
}
