use everypath_heap::subject;

#[subject]
mod subject {
    struct Root {
        value: Int,
        next: Ref<Node>,
    }

    struct Node {
        next: Ref<Node>,
    }

    impl Root {
        fn push(self, name: String) {}
    }
}

fn main() {}
