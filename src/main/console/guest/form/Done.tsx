import { useEffect, useRef } from 'preact/hooks';
import type { Answer } from '../answer';
import { AnswerView } from '../AnswerView';
import { Icon } from '../Icon';
import { t } from '../text';

/** The heading gets the focus, so that screen readers read it. */
export function Done({ title, answer, again }: { title: string; answer: Answer; again: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const answered = answer.text !== '' || answer.files.length > 0;
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="column">
      <div class="done">
        <span class="mark">
          <Icon name="circle-check" size={24} />
        </span>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {t(answered ? 'form.answer.title' : 'form.done.title')}
          </h1>
          <p class="faint">{answered ? title : t('form.done.text')}</p>
        </div>
      </div>
      {answered ? <AnswerView answer={answer} /> : null}
      <div class="actions">
        <button class="button" type="button" onClick={again}>
          <Icon name="plus" />
          {t('form.again')}
        </button>
      </div>
    </div>
  );
}
