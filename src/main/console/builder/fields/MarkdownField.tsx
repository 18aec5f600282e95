import { CopyButton } from '../../base/components/CopyButton';
import { Icon } from '../../base/components/Icon';
import { MarkdownView } from '../../base/markdown/MarkdownView';
import { session } from '../../base/session';
import { useBuilder } from '../context';
import type { FieldProps } from './scope';

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

export function Markdown({ text }: { text: string }) {
  return (
    <MarkdownView
      joined
      level={3}
      text={text}
      code={(code) => (
        <div class="copyable">
          <code class="cut">{code}</code>
          <CopyButton text={code} />
        </div>
      )}
    />
  );
}
