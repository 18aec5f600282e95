import { AnswerView } from '../AnswerView';
import { Icon } from '../Icon';
import { t } from '../text';
import type { GuestMessage, Message } from './conversation';

interface Props {
  message: Message;
  botName: string;
  busy: boolean;
  retry: (message: GuestMessage) => void;
}

export function MessageView({ message, botName, busy, retry }: Props) {
  if (message.by === 'bot') {
    const { answer } = message;
    return (
      <article class="message bot">
        <header>{botName}</header>
        {answer.text === '' && answer.files.length === 0 ? (
          <p class="faint">{t('chat.noAnswer')}</p>
        ) : (
          <AnswerView answer={answer} />
        )}
      </article>
    );
  }
  return (
    <article class="message guest" data-state={message.state}>
      <header class="visually-hidden">{t('chat.you')}</header>
      {message.text ? <p class="text">{message.text}</p> : null}
      {message.files.map((name, index) => (
        <p key={index} class="row attached">
          <Icon name="file" />
          <span class="cut">{name}</span>
        </p>
      ))}
      {message.state === 'failed' ? (
        <div class="failed" role="alert">
          <p class="problem">
            <Icon name="circle-alert" size={14} />
            {message.problem}
          </p>
          <button class="button small" type="button" disabled={busy} onClick={() => retry(message)}>
            <Icon name="refresh-cw" size={14} />
            {t('chat.retry')}
          </button>
        </div>
      ) : null}
    </article>
  );
}
