import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Skeleton } from '../../base/components/States';
import { useMay } from '../../base/permissions';
import { t } from '../../base/text';
import type { CodeEditor } from './codeEditor';
import type { LineError } from './errorLine';
import type { CodeReferences } from './tokenChips';

interface Props {
  label: string;
  language: 'json' | 'javascript' | 'python';
  value: string;
  onValue: (value: string) => void;
  /** Sample inputs of the step, completed after `inputs.`. */
  inputs?: Record<string, unknown>;
  tall?: boolean;
  /** Error of the last execution, marked at its line until the text changes. */
  error?: LineError | undefined;
  /** Shows references as chips; a new `key` means that labels may have changed. */
  references?: CodeReferences & { key: string };
  onReady?: (editor: CodeEditor) => void;
  onFocus?: () => void;
}

const LANGUAGES = {
  json: () => import('./jsonLanguage'),
  javascript: () => import('./scriptLanguage'),
  python: () => import('./pythonLanguage'),
};
const NONE = {};

/** The editor and its language are loaded on first use. */
export function Code(props: Props) {
  const { label, language, value, tall = false, references, error } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>();
  const latest = useRef(props);
  latest.current = props;
  /** Click before the editor has loaded: the editor gets the focus then, unless another field has it. */
  const clicked = useRef(false);
  const [ready, setReady] = useState(false);
  const [isFull, setIsFull] = useState(false);
  const mayWrite = useMay('WRITE_FLOW');
  useEffect(() => {
    let gone = false;
    void Promise.all([
      import('./codeEditor'),
      LANGUAGES[language](),
      references ? import('./tokenChips') : undefined,
    ]).then(([{ openEditor }, { language: known }, chips]) => {
      if (!gone) {
        const now = openEditor(host.current!, {
          label,
          language: known,
          value: latest.current.value,
          onValue: (text) => latest.current.onValue(text),
          inputs: () => latest.current.inputs ?? NONE,
          readOnly: !mayWrite,
          references: chips ? { module: chips, of: () => latest.current.references! } : undefined,
          onFocus: () => latest.current.onFocus?.(),
        });
        editor.current = now;
        latest.current.onReady?.(now);
        setReady(true);
        if (clicked.current && document.activeElement?.contains(host.current)) {
          now.focus();
        }
      }
    });
    return () => {
      gone = true;
      editor.current?.close();
    };
  }, [language, mayWrite]);
  useEffect(() => editor.current?.show(value), [value, ready]);
  useEffect(() => editor.current?.mark(error), [error?.line, error?.message, value, ready]);
  useEffect(() => editor.current?.refresh(), [references?.key, ready]);
  const turn = (full: boolean): void => {
    setIsFull(full);
    requestAnimationFrame(() => editor.current?.focus());
  };
  return (
    <div
      class={`code-editor${tall ? ' tall' : ''}${isFull ? ' full' : ''}`}
      data-code={label}
      onPointerDown={() => {
        clicked.current = true;
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isFull && !event.defaultPrevented) {
          event.preventDefault();
          event.stopPropagation();
          turn(false);
        }
      }}>
      <div ref={host} />
      {ready ? null : <Skeleton lines={2} />}
      <span class="code-full">
        <Button
          kind="quiet"
          size="small"
          icon={isFull ? 'minus' : 'maximize'}
          label={t(isFull ? 'code.leaveFull' : 'code.full')}
          onClick={() => turn(!isFull)}
        />
      </span>
    </div>
  );
}
