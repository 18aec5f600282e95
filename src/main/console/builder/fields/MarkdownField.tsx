import type { ComponentChildren } from 'preact';
import { CopyButton } from '../../base/components/CopyButton';
import { Icon } from '../../base/components/Icon';
import { session } from '../../base/session';
import { useBuilder } from '../context';
import { blocksOf, spansOf, type Span } from './markdown';
import type { FieldProps } from './scope';

/** Description of a piece: paragraphs, lists, links, and addresses with a copy button. */
export function MarkdownField({ property }: FieldProps) {
  const { builder } = useBuilder();
  const { flow } = builder.store.get();
  const text = filled(property.description ?? '', flow.id);
  const variant = (property.variant ?? 'INFO').toLowerCase();
  return (
    <div
      class={`prose ${variant === 'borderless' ? '' : 'boxed'} ${variant === 'warning' ? 'tone-amber' : 'tone-blue'}`}>
      {variant === 'borderless' ? null : <Icon name={variant === 'warning' ? 'triangle-alert' : 'info'} />}
      <div>
        <Markdown text={text} />
      </div>
    </div>
  );
}

/** Addresses of this flow at the server. */
export function addressesOf(flowId: string): { webhookUrl: string; formUrl: string; chatUrl: string } {
  const now = session.get();
  const flags = now.state === 'in' ? now.flags : {};
  const base =
    typeof flags['WEBHOOK_URL_PREFIX'] === 'string'
      ? flags['WEBHOOK_URL_PREFIX']
      : `${location.origin}/api/v1/webhooks`;
  const site = typeof flags['PUBLIC_URL'] === 'string' ? flags['PUBLIC_URL'].replace(/\/$/, '') : location.origin;
  return { webhookUrl: `${base}/${flowId}`, formUrl: `${site}/forms/${flowId}`, chatUrl: `${site}/chats/${flowId}` };
}

function filled(text: string, flowId: string): string {
  const places: Record<string, string> = addressesOf(flowId);
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => places[name] ?? whole);
}

/** Renders paragraphs, lists, headings, code and links of Markdown. */
export function Markdown({ text }: { text: string }) {
  return (
    <>
      {blocksOf(text).map((block, index) =>
        block.kind === 'code' ? (
          <div key={index} class="copyable">
            <code class="cut">{block.text}</code>
            <CopyButton text={block.text} />
          </div>
        ) : block.kind === 'item' ? (
          <p key={index} class="item-line">
            {inline(block.text)}
          </p>
        ) : block.kind === 'heading' ? (
          <h3 key={index}>{inline(block.text)}</h3>
        ) : (
          <p key={index}>{inline(block.text)}</p>
        ),
      )}
    </>
  );
}

const inline = (text: string): ComponentChildren =>
  spansOf(text).map((span: Span, index) =>
    span.kind === 'bold' ? (
      <b key={index}>{span.text}</b>
    ) : span.kind === 'code' ? (
      <code key={index}>{span.text}</code>
    ) : span.kind === 'link' ? (
      <a key={index} href={span.to} target="_blank" rel="noopener noreferrer">
        {span.text}
      </a>
    ) : (
      span.text
    ),
  );
