"""Text and cards, which follow each other."""

import re

import colour
import numpy as np


def test_the_text_makes_cards_and_cards_make_text(visit):
    page = visit()
    page.type("gaussian=2,sobel")
    assert page.tab.locator("#cards h2").all_inner_texts() == ["gaussian", "sobel"]
    field = page.tab.get_by_label("sigma of gaussian, number")
    assert field.input_value() == "2"
    field.fill("3.5")
    page.shown("gaussian=3.5,sobel")
    assert page.chain == "gaussian=3.5,sobel"
    assert np.array_equal(page.pixels("after"), colour.picture(page.server.frames("gaussian=3.5,sobel")[0], page.server.facts))
    page.type("gaussian=1.25,sobel")
    assert field.input_value() == "1.25"


def test_every_kind_of_control(visit):
    page = visit()
    page.type("gaussian=2")
    slider = page.card(0).get_by_label("sigma", exact=True)
    slider.focus()
    page.tab.keyboard.press("ArrowRight")
    page.until("document.getElementById('stage').dataset.chain !== 'gaussian=2'")
    text = page.chain
    assert text.startswith("gaussian=2.1") and page.tab.evaluate("document.activeElement.type") == "range"
    assert np.array_equal(page.pixels("after"), colour.picture(page.server.frames(text)[0], page.server.facts))
    # Back to the default.
    page.tab.get_by_label("Default of sigma", exact=True).click()
    page.shown("gaussian")
    # A slider that reaches farther when its number grows.
    field = page.tab.get_by_label("sigma of gaussian, number")
    field.fill("40")
    page.shown("gaussian=sigma=40")
    assert float(slider.get_attribute("max")) >= 160
    # A count, a switch, a word, text with suggestions, all as the table has them.
    page.tab.get_by_label("boxes of gaussian, number").fill("3")
    page.shown("gaussian=sigma=40:boxes=3")
    page.card(0).get_by_label("planes", exact=True).fill("y")
    page.shown("gaussian=sigma=40:boxes=3:planes=y")
    page.card(0).get_by_label("border", exact=True).fill("wrap")
    page.shown("gaussian=sigma=40:boxes=3:planes=y:border=wrap")
    page.type("kernel='1 2 1'")
    # One without a number for its default stands at 0, though its range is wide.
    wide = page.card(0).get_by_label("scale", exact=True)
    assert (wide.input_value(), wide.get_attribute("max")) == ("0", "10")
    page.card(0).get_by_label("flip", exact=True).check()
    page.shown("kernel=1 2 1:flip=1")
    page.card(0).get_by_label("flip", exact=True).uncheck()
    page.until("!document.getElementById('stage').dataset.chain.includes('flip=1')")
    page.card(0).get_by_label("combine", exact=True).select_option(index=2)
    page.until("document.getElementById('stage').dataset.chain.includes('combine=')")


def test_a_strength_is_a_number_or_follows_the_noise(visit):
    page = visit()
    page.type("nlmeans=p=3:r=3")
    page.tab.get_by_label("s of nlmeans: auto", exact=True).click()
    page.shown("nlmeans=p=3:r=3:s=auto")
    field = page.tab.get_by_label("s of nlmeans, number", exact=True)
    assert field.input_value() == "auto"
    assert np.array_equal(page.pixels("after"), colour.picture(page.server.frames("nlmeans=p=3:r=3:s=auto")[0], page.server.facts))
    field.fill("4")
    page.shown("nlmeans=p=3:r=3:s=4")
    page.tab.get_by_label("Default of s", exact=True).click()
    page.shown("nlmeans=p=3:r=3")


def test_a_strength_far_from_the_noise_is_said_below_the_cards(visit):
    page = visit("noisy.mkv", "nlmeans=s=1:p=3:r=3")
    page.until("document.getElementById('remark').textContent.includes('s=1 removes little; type nlmeans=s=auto:p=3:r=3')")
    assert page.tab.locator("#remark").get_attribute("role") == "status"
    page.type("gaussian=1")
    page.until("document.getElementById('remark').textContent === ''")


def test_a_number_asks_for_its_picture_at_once(visit):
    page = visit("large.mkv", "sobel,gaussian=sigma=2")
    asked = []
    page.tab.on("request", lambda request: asked.append((request.url.rsplit("/", 1)[-1], request.post_data_json)))
    page.tab.get_by_label("sigma of gaussian, number").fill("3")
    page.shown("sobel,gaussian=sigma=3")
    asked = [(name, body) for name, body in asked if name in ("frames", "edit")]
    # It does not wait for what the program makes of the text, and is asked for once.
    assert [name for name, _ in asked] == ["frames", "edit"]
    assert asked[0][1]["chain"] == "sobel,gaussian=sigma=3"
    wanted = colour.picture(page.server.frames("sobel,gaussian=sigma=3")[0], page.server.facts)
    assert np.array_equal(page.pixels("after"), wanted)


def test_a_wrong_text_keeps_the_last_picture(visit):
    page = visit()
    page.type("gaussian=2")
    good = page.pixels("after")
    page.tab.locator("#chain").fill("gaussian=2,gausian")
    page.tab.wait_for_selector("#fault pre")
    fault = page.tab.locator("#fault")
    assert 'unknown filter "gausian"' in fault.inner_text()
    chain, caret = fault.locator("pre").inner_text().split("\n")[:2]
    assert chain == "gaussian=2,gausian" and caret.rstrip() == " " * 11 + "^" * 7
    assert fault.get_attribute("aria-live") == "polite"
    assert page.tab.locator("#chain").get_attribute("aria-invalid") == "true"
    assert np.array_equal(page.pixels("after"), good)
    assert page.tab.locator("#cards h2").all_inner_texts() == ["gaussian"]
    # A card changes what was right last.
    page.tab.get_by_label("sigma of gaussian, number").fill("1")
    page.shown("gaussian=1")
    assert page.chain == "gaussian=1" and fault.inner_text() == ""
    # A value that is wrong is told of in the same place.
    page.card(0).get_by_label("truncate of gaussian, number").fill("900")
    page.tab.wait_for_selector("#fault p")
    assert "truncate" in fault.inner_text()
    page.type("")
    assert page.tab.locator("#cards > li").count() == 0


def test_filters_are_found_and_added(visit):
    page = visit()
    page.press("a")
    search = page.tab.get_by_label("Search filters")
    assert page.tab.locator("#found [role=option]").count() > 30
    search.fill("relief")
    names = lambda: page.tab.locator("#found [role=option] b").all_inner_texts()
    assert names()[0] == "emboss"
    # Words in other forms, and what other programs call it.
    for words, first, among in (
        ("denoise", "denoise", "nlmeans"),
        ("sharpener", "sharpen", "unsharp"),
        ("hqdn3d", "denoise", "denoise"),
        ("FastBlur", "gaussian", "gaussian"),
        ("blur camera", "motionblur", "motionblur"),
    ):
        search.fill(words)
        assert names()[0] == first and among in names(), (words, names())
    search.fill("relief")
    assert page.tab.locator("#about").inner_text() != ""
    page.tab.keyboard.press("Enter")
    page.shown("emboss")
    # One that cannot do without parameters begins as its example.
    page.tab.get_by_role("button", name="Add filter…").click()
    search.fill("kernel")
    page.tab.locator("#found [role=option]", has=page.tab.get_by_text("kernel", exact=True)).first.click()
    page.until("document.getElementById('stage').dataset.chain.startsWith('emboss,kernel=')")
    page.tab.get_by_role("button", name="Add filter…").click()
    search.fill("no such xyzzy")
    assert page.tab.locator("#found [role=option]").count() == 0
    page.tab.keyboard.press("Escape")
    assert not page.tab.locator("#picker").is_visible()


def test_filters_are_found_by_purpose(visit):
    page = visit()
    names = lambda: page.tab.locator("#found [role=option] b").all_inner_texts()
    page.press("a")
    search = page.tab.get_by_label("Search filters")
    # Without words the usual choices come first, each once.
    assert names()[0] == "denoise" and len(names()) == len(set(names()))
    for words, first in (
        ("blur", "gaussian"),
        ("blurr", "gaussian"),
        ("soften my video", "gaussian"),
        ("noise", "denoise"),
        ("nosie", "denoise"),
        ("sharp", "unsharp"),
        ("deinterlace", "bwdif"),
        ("edges", "sobel"),
        ("brightness", "levels"),
        ("gausian", "gaussian"),
        ("resize", "scale"),
    ):
        search.fill(words)
        assert names()[:1] == [first], (words, names()[:4])
    # Of what is not a filter here the program says what to do.
    search.fill("v360")
    page.until("document.getElementById('about').textContent.includes('v360')")
    assert names() == [] and "ffmpeg" in page.tab.locator("#about").inner_text().lower()
    # A picture of this frame: one for each filter that is pointed at.
    shots = []
    for words in ("invert", "sobel"):
        search.fill(words)
        page.until(f"document.querySelector('#found [role=option] b').textContent === {words!r}")
        page.until(f"!document.getElementById('sketch').hidden && document.getElementById('sketch').dataset.filter === {words!r}")
        assert page.tab.locator("#sketch").evaluate("canvas => canvas.width") == 240
        shots.append(page.tab.locator("#sketch").evaluate("canvas => canvas.toDataURL()"))
    assert len(set(shots)) == 2
    page.tab.keyboard.press("Escape")


def test_a_card_shows_its_main_controls(visit):
    page = visit()
    page.type("unsharp")
    card = page.tab.locator("#cards > li").first
    shown = lambda: [part.get_attribute("data-parameter") for part in card.locator(".control:visible").all()]
    assert shown() == ["luma_amount", "luma_msize_x", "luma_msize_y"]
    assert card.locator(".control small").first.inner_text() == "strength"
    # The rest is folded, and without controls of opacity where there is none.
    card.get_by_text("4 more", exact=True).click()
    assert "chroma_amount" in shown() and not any(name.startswith("alpha") for name in shown())
    # A control that is set is shown.
    page.type("unsharp,unsharp=chroma_amount=1")
    card = page.tab.locator("#cards > li").nth(1)
    assert "chroma_amount" in shown()
    other = visit("alpha.mkv", "unsharp")
    assert other.card(0).locator("[data-parameter=alpha_amount]").is_visible()


def test_filters_are_switched_removed_and_moved(visit):
    page = visit()
    page.type("gaussian=2,sobel,median")
    page.card(1).get_by_role("switch", name="sobel is on").uncheck()
    page.tab.wait_for_selector("#cards > li.off")
    text = page.chain
    page.shown(text)
    assert np.array_equal(page.pixels("after"), colour.picture(page.server.frames("gaussian=2,median")[0], page.server.facts))
    page.card(1).get_by_role("switch", name="sobel is on").check()
    page.shown("gaussian=2,sobel,median")
    # By keys, and the focus goes along.
    page.card(2).get_by_role("switch", name="median is on").focus()
    page.tab.keyboard.press("Alt+ArrowUp")
    page.shown("gaussian=2,median,sobel")
    page.tab.keyboard.press("Alt+ArrowUp")
    page.shown("median,gaussian=2,sobel")
    assert page.tab.evaluate("document.activeElement.getAttribute('aria-label')") == "median is on"
    page.card(0).get_by_role("button", name="Move down: median").click()
    page.shown("gaussian=2,median,sobel")
    # By dragging.
    grip, last = page.card(0).locator(".grip").bounding_box(), page.card(2).bounding_box()
    page.tab.mouse.move(grip["x"] + 5, grip["y"] + 8)
    page.tab.mouse.down()
    page.tab.mouse.move(grip["x"] + 5, last["y"] + last["height"] - 4, steps=6)
    page.tab.mouse.up()
    page.shown("median,sobel,gaussian=2")
    page.card(0).get_by_role("button", name="Remove: median").click()
    page.shown("sobel,gaussian=2")
    page.tab.keyboard.press("Control+z")
    page.shown("median,sobel,gaussian=2")
    page.tab.keyboard.press("Control+Shift+z")
    page.shown("sobel,gaussian=2")


def test_many_changes_end_in_the_last(visit):
    page = visit()
    page.type("gaussian=2")
    page.tab.evaluate("""() => {
      const slider = document.querySelector('[data-parameter=sigma] input[type=range]');
      for (let value = 0; value <= 80; value++) {
        slider.value = String(value / 10);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }
    }""")
    page.shown("gaussian=8")
    assert np.array_equal(page.pixels("after"), colour.picture(page.server.frames("gaussian=8")[0], page.server.facts))


def test_panels_tell_of_the_chain(visit):
    page = visit()
    page.type("gaussian=2.625,sobel")
    lit = "id => { const c = document.getElementById(id); return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v, i) => i % 4 < 3 && v > 120); }"
    for scope in ("Histogram", "Waveform", "RGB parade", "Vectorscope"):
        page.tab.get_by_role("tab", name=scope).click()
        page.until(f"document.getElementById('scope-after').getAttribute('aria-label').startsWith('{scope.split()[-1].lower()}')")
        assert page.tab.evaluate(lit, "scope-before") and page.tab.evaluate(lit, "scope-after")
    planes = page.server.frames("gaussian=2.625,sobel")[0]
    caption = "  ".join(f"{letter} {plane.min():.4g}…{plane.mean():.4g}…{plane.max():.4g}" for letter, plane in zip("YUV", planes))
    assert page.tab.locator("figure:last-child figcaption > span").text_content() == caption
    page.tab.get_by_role("tab", name="Vectorscope").focus()
    page.tab.keyboard.press("ArrowRight")
    page.until("document.getElementById('kernel').naturalWidth > 0")
    assert "gaussian=2.625" in page.tab.locator("#kernel").get_attribute("alt")
    page.tab.keyboard.press("ArrowRight")
    assert page.tab.locator("#costs tr").count() == 2
    assert re.fullmatch(r"this frame: \d+\.\d ms", page.tab.locator("#expected").inner_text())
    page.tab.keyboard.press("ArrowRight")
    assert "passes: 2" in page.tab.locator("#explain").inner_text()


def test_sliders_stop_at_numbers_that_the_chain_takes(visit):
    page = visit()
    for name, count, start in (("unsharp", "luma_msize_x", 5), ("nlmeans", "p", 7), ("nlmeans", "pc", 0), ("atadenoise", "s", 9)):
        page.type(f"{name}={count}={start}" if start else name)
        slider = page.card(0).locator(f".control[data-parameter={count}] input[type=range]")
        number = page.card(0).locator(f".control[data-parameter={count}] input[type=number]")
        slider.focus()
        stops = [start]
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft"):
            slider.press(key)
            stops.append(int(number.input_value()))
            page.shown(f"{name}={count}={stops[-1]}")
            assert page.tab.locator("#fault").inner_text() == ""
        assert stops == ([start, start + 2, start + 4, start + 2, start, start - 2] if start else [0, 1, 3, 1, 0, 0])
        # The arrow keys of the field skip the same numbers.
        number.press("ArrowUp")
        page.until(f"document.getElementById('chain').value === {f'{name}={count}={int(number.input_value())}'!r}")
        assert int(number.input_value()) % 2 == 1


def test_every_stop_of_every_slider_is_taken(visit):
    """The ends of each slider and what lies beside them and its default, for all filters as their examples are."""
    page = visit("long.mkv")
    refused = page.tab.evaluate("""async () => {
      const { Control } = await import('./page/control.js');
      const post = async (path, body) => (await fetch(path, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
      })).json();
      const table = await (await fetch('filters')).json();
      const refused = [];
      for (const filter of table.groups.flatMap(group => group.filters)) {
        for (const parameter of filter.parameters.filter(p => ['number', 'count'].includes(p.kind) && !p.shared)) {
          let sent = null;
          const control = new Control(parameter, filter.name, value => { sent = value; });
          control.update(undefined, () => undefined, false);
          const { slider } = control;
          const rest = slider.value;
          for (const way of [s => s.stepUp(), s => s.stepDown(), s => { s.value = s.min; }, s => { s.value = s.max; }]) {
            slider.value = rest;
            way(slider);
            slider.dispatchEvent(new Event('input'));
            const edit = { set: { call: 0, parameter: parameter.name, value: sent } };
            const answer = await post('edit', { text: filter.example, edit });
            // Where another parameter of the filter sets the limit, the chain says so, and for a file that the command line does not name.
            const isBound = /is not (above|below) |weights for|are both the angle|opens only files from the command line/.test(answer.error?.message ?? '');
            if (!answer.ok && !isBound) refused.push(`${filter.name}: ${answer.error.message}`);
          }
        }
      }
      return refused;
    }""")
    assert refused == [], "\n".join(refused)


def test_passes_of_one_name_cost_each_its_own(visit):
    page = visit("long.mkv", "box=1,sobel,box=1,sobel,box=25")
    page.tab.get_by_role("tab", name="Cost").click()
    page.press(".")
    page.shown(frame=1)
    page.until("document.querySelectorAll('#costs tr').length >= 5")
    rows = page.tab.locator("#costs tr")
    costs = [float(rows.nth(row).locator("td").nth(1).inner_text()) for row in range(rows.count())]
    assert len(set(costs)) > 2, costs
    total = float(re.search(r"([\d.]+) ms", page.tab.locator("#cost-sum").inner_text())[1])
    assert sum(costs) <= total, (costs, total)
    assert "fps" not in page.tab.locator("#cost-sum").inner_text()


def test_the_speed_of_a_run_is_measured(visit):
    page = visit("long.mkv", "gaussian=2")
    page.tab.get_by_role("tab", name="Cost").click()
    page.tab.get_by_role("button", name="Measure the speed of a run").click()
    page.until("/fps/.test(document.getElementById('speed').textContent)", timeout=60000)
    said = page.tab.locator("#speed").inner_text()
    found = re.fullmatch(
        r"A run, measured over \d+ frames: filters alone ([\d.]+) fps, with decoding ([\d.]+) fps, with encoding \((\w+)\) ([\d.]+) fps\.",
        said,
    )
    assert found, said
    assert float(found[1]) > 0 and float(found[2]) > 0 and float(found[4]) > 0
    # It is that of this chain alone.
    page.type("gaussian=3")
    page.until("document.getElementById('speed').textContent === ''")
