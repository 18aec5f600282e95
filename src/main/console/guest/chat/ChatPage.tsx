import type { Chat } from '#api';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../Icon';
import type { Place } from '../place';
import { Sheet } from '../Sheet';
import { t } from '../text';
import { Composer } from './Composer';
import { MessageView } from './MessageView';
import { useChat } from './useChat';

export function ChatPage({ chat, place }: { chat: Chat; place: Place }) {
  const name = chat.props.botName ?? chat.title;
  const state = useChat(place);
  const [text, setText] = useState('');
  const [hint, setHint] = useState('');
  const end = useRef<HTMLDivElement>(null);
  const { messages } = state.conversation;
  useEffect(() => end.current?.scrollIntoView({ block: 'end' }), [messages.length, state.busy]);
  return (
    <Sheet chat draft={place.draft}>
      <div class="row chat-head">
        <h1 class="cut spread">{chat.title}</h1>
        {messages.length > 0 ? (
          <button class="button small" type="button" onClick={state.restart}>
            <Icon name="plus" />
            {t('chat.again')}
          </button>
        ) : null}
      </div>
      <div class="log" role="log" aria-label={t('chat.log', { name })} tabIndex={0}>
        {messages.length === 0 ? <p class="faint empty">{t('chat.empty')}</p> : null}
        {messages.map((message) => (
          <MessageView
            key={message.id}
            message={message}
            botName={name}
            busy={state.busy}
            retry={(failed) => {
              const given = state.retry(failed);
              if (given !== undefined) {
                setText(given);
                setHint(t('chat.filesLost'));
              }
            }}
          />
        ))}
        {state.busy ? (
          <p class="writing" role="status">
            <span class="dots" aria-hidden>
              <i />
              <i />
              <i />
            </span>
            {t('chat.writing', { name })}
          </p>
        ) : null}
        <div ref={end} />
      </div>
      {state.full ? <p class="help">{t('chat.full')}</p> : null}
      {hint ? (
        <p class="notice tone-amber" role="status">
          <Icon name="circle-alert" />
          {hint}
        </p>
      ) : null}
      <Composer
        botName={name}
        text={text}
        write={setText}
        busy={state.busy}
        share={state.share}
        say={(said, files) => {
          setHint('');
          setText('');
          state.say(said, files);
        }}
      />
    </Sheet>
  );
}
