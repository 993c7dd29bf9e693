"""Which attention files can be imported, how to write them with each toolkit, and a small example."""

from collections.abc import Callable

import streamlit as st

from pages.ui.escape import escape_html
from pages.ui.i18n.messages import Messages
from pages.ui.your_text import reports

# Two heads of one layer.
EXAMPLE = """{"source": ["The", "cat", "sleeps", "</s>"],
 "target": ["Le", "chat", "dort", "</s>"],
 "cross": [[[0.8, 0.1, 0.1, 0.0], [0.1, 0.8, 0.1, 0.0], [0.0, 0.2, 0.7, 0.1], [0.0, 0.0, 0.1, 0.9]],
           [[0.4, 0.4, 0.1, 0.1], [0.6, 0.2, 0.1, 0.1], [0.1, 0.6, 0.2, 0.1], [0.1, 0.1, 0.6, 0.2]]]}"""

# Row i of the decoder's attention belongs to label i: the network shifts its input itself.
TRANSFORMERS = (
    'inputs = tokenizer(text, return_tensors="pt")',
    "labels = model.generate(**inputs)[:, 1:]",
    "out = model(**inputs, labels=labels, output_attentions=True)",
    "every = {name: torch.stack(out[f'{name}_attentions'])[:, 0].detach().float().numpy()"
    " for name in ('cross', 'encoder', 'decoder')}",
    "numpy.savez_compressed('attention.npz', source=tokenizer.convert_ids_to_tokens(inputs.input_ids[0]),"
    " target=tokenizer.convert_ids_to_tokens(labels[0]), **every)",
)
GENERATE = (
    "out = model.generate(**inputs, num_beams=1, return_dict_in_generate=True, output_attentions=True)",
    "cross = [[layer.tolist() for layer in step] for step in out.cross_attentions]",
    "json.dump(dict(source=tokenizer.convert_ids_to_tokens(inputs.input_ids[0]),"
    " target=tokenizer.convert_ids_to_tokens(out.sequences[0, 1:]), cross_attentions=cross),"
    " open('attention.json', 'w'))",
)
JOEYNMT = (
    "(found,) = translator.score([sentence], beam_size=1)",
    "cut = translator.dataset.tokenizer[translator.dataset.src_lang]",
    "record = dict(source=cut(cut.pre_process(sentence)), target=found.tokens[0])",
    "record['attention'] = found.attention_probs[0].tolist()",
    "open('attention.json', 'w').write(json.dumps(record))",
)
TOOLKITS = (
    "marian-decoder -c model.yml --alignment soft --no-spm-decode < source.txt > attention.txt",
    "fairseq-generate data-bin --path model.pt --print-alignment soft > attention.txt",
    "onmt_translate -model model.pt -src source.txt -attn_debug -verbose > attention.txt",
    "nematus/translate.py -m model.npz -i source.txt -o target.txt -a attention.txt",
)


def render_help(open_example: Callable[[], None], t: Messages) -> None:
    """Draw the example with its button, and the code that writes such files."""
    st.html(f"<p>{escape_html(t('imported.example'))}</p>{reports.format_commands_html(EXAMPLE.splitlines())}")
    st.button(t("imported.see"), key="see-example", type="tertiary", on_click=open_example)
    recipes = ((t("imported.toolkits"), TOOLKITS), (t("imported.transformers"), TRANSFORMERS),
               (t("imported.generate"), GENERATE), (t("imported.joeynmt"), JOEYNMT))  # fmt: skip
    st.html(f'<p>{escape_html(t("imported.formats"))}</p><p class="note">{escape_html(t("imported.note"))}</p>'
            + "".join(f"<p>{escape_html(label)}</p>{reports.format_commands_html(lines)}"
                      for label, lines in recipes))  # fmt: skip
