import type { ComponentChildren } from 'preact';
import { Component } from 'preact';
import type { Failure } from '../api/failure';
import { wordsOf } from '../failureWords';
import { useMay, type Permission } from '../permissions';
import { t } from '../text';
import { Button } from './Button';
import { Icon, type IconName } from './Icon';

export type Tone = 'green' | 'red' | 'amber' | 'blue' | 'grey';

/** State as one word with an icon and a color, never the color alone. */
export function Badge({
  tone,
  icon,
  spin = false,
  children,
}: {
  tone: Tone;
  icon: IconName;
  spin?: boolean;
  children: ComponentChildren;
}) {
  return (
    <span class={`badge tone-${tone}`}>
      <Icon name={icon} size={14} spin={spin} />
      {children}
    </span>
  );
}

interface EmptyProps {
  icon: IconName;
  title: string;
  text?: string;
  /** Permission for the step that the text suggests; a role without it reads `readerText` instead. */
  needs?: Permission;
  readerText?: string;
  children?: ComponentChildren;
}

export function Empty({ icon, title, text: writerText, needs, readerText, children }: EmptyProps) {
  const text = useMay(needs) ? writerText : readerText;
  return (
    <div class="state">
      <span class="mark">
        <Icon name={icon} size={24} />
      </span>
      <h2>{title}</h2>
      {text ? <p>{text}</p> : null}
      {children ? <div class="actions">{children}</div> : null}
    </div>
  );
}

export function Failed({
  failure,
  retry,
  children,
}: {
  failure: Failure;
  retry?: () => void;
  children?: ComponentChildren;
}) {
  const words = wordsOf(failure);
  return (
    <div class="state failing" role="alert">
      <span class="mark">
        <Icon name="triangle-alert" size={24} />
      </span>
      <h2>{words.title}</h2>
      {words.detail ? <p>{words.detail}</p> : null}
      {failure.requestId ? (
        <p>
          <code>{t('error.requestId', { id: failure.requestId })}</code>
        </p>
      ) : null}
      {retry || children ? (
        <div class="actions">
          {children}
          {retry ? (
            <Button icon="refresh-cw" onClick={retry}>
              {t('base.retry')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** Message of the server with a capital letter; a leading name, such as that of a package, stays unchanged. */
const sentence = (text: string): string =>
  /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

export function Notice({
  failure,
  tone = 'red',
  children,
}: {
  failure?: Failure;
  tone?: Tone;
  children?: ComponentChildren;
}) {
  const words = failure ? wordsOf(failure) : undefined;
  return (
    <div class={`notice tone-${tone}`} role={failure ? 'alert' : undefined}>
      <Icon name={tone === 'red' || tone === 'amber' ? 'triangle-alert' : 'info'} />
      <div>
        {words ? (
          <>
            {sentence(words.title)}
            {words.detail ? <> {words.detail}</> : null}
          </>
        ) : typeof children === 'string' ? (
          sentence(children)
        ) : (
          children
        )}
        {failure?.requestId ? <div class="request">{t('error.requestId', { id: failure.requestId })}</div> : null}
      </div>
    </div>
  );
}

export function Skeleton({ lines = 3 }: { lines?: number }) {
  const widths = ['62%', '86%', '48%', '74%'];
  return (
    <div class="column" role="status" aria-label={t('base.loading')}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="skeleton" style={{ width: widths[line % widths.length] }} />
      ))}
    </div>
  );
}

/** Error boundary: a defect of one view does not break the console. */
export class Boundary extends Component<
  { children: ComponentChildren; about: string },
  { broken: boolean; about: string }
> {
  override state = { broken: false, about: this.props.about };

  static override getDerivedStateFromProps(props: { about: string }, state: { broken: boolean; about: string }) {
    return props.about === state.about ? null : { broken: false, about: props.about };
  }

  override componentDidCatch(problem: unknown): void {
    console.error(problem);
    this.setState({ broken: true });
  }

  override render() {
    return this.state.broken ? (
      <div class="state failing" role="alert">
        <span class="mark">
          <Icon name="triangle-alert" size={24} />
        </span>
        <h2>{t('page.broken.title')}</h2>
        <p>{t('page.broken.text')}</p>
        <div class="actions">
          <Button onClick={() => location.reload()}>{t('page.reload')}</Button>
        </div>
      </div>
    ) : (
      this.props.children
    );
  }
}
